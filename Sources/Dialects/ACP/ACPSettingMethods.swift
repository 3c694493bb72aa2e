import Core
import OrderedJSON
import Services
import Wire

/// The settings of a session that an editor may choose.
struct ACPSettingMethods: MethodGroup {
    let parts: ACPServices.Parts

    var methods: [Method] { [option, mode] }

    private var mode: Method {
        Method(
            "session/set_mode", right: .drive, scheduling: .beside(limit: 8),
            summary: "Sets the mode in which the agent asks.",
            parameters: .required("modeId", "one of `availableModes`"), ACPFields.session, result: .anyObject
        ) { call, mode, id async throws(JSONRPCError) in
            _ = try await set("mode", mode, of: try ACPFields.open(id, for: call))
            return [:]
        }
    }

    private var option: Method {
        Method(
            "session/set_config_option", right: .drive, scheduling: .beside(limit: 8),
            summary: "Sets the mode, the model or how hard it thinks. Answers all options.",
            parameters: .required("configId", "\"mode\", \"model\" or \"effort\""), ACPFields.session,
            .required("value", "one of the option's values"), result: .anyObject
        ) { call, option, id, value async throws(JSONRPCError) in
            let session = try ACPFields.open(id, for: call)
            let settings = try await set(option, value, of: session)
            let offer = (try? await parts.sessions.offer(of: session.runID)) ?? AgentOffer()
            return ["configOptions": settings.options(offer)]
        }
    }

    /// Returns the settings as they were asked for. What the agent refuses is told as a change back.
    private func set(
        _ option: String, _ value: String, of session: ACPSession
    ) async throws(JSONRPCError) -> ACPSettings {
        var settings = session.state.withLock { $0.told }
        let wanted: RunSettings
        switch option {
        case "effort":
            let offer = (try? await parts.sessions.offer(of: session.runID)) ?? AgentOffer()
            guard value == ACPSettings.agentsOwn || settings.efforts(offer).contains(value) else {
                throw .invalidParams(
                    "\"\(value.prefix(40))\" is no effort of this model; send one of the option's values")
            }
            settings.effort = value == ACPSettings.agentsOwn ? nil : value
            wanted = RunSettings(effort: .some(settings.effort))
        case "mode":
            guard settings.offers(mode: value) else {
                throw .invalidParams("\"\(value.prefix(40))\" is no mode; send one of \"availableModes\"")
            }
            wanted = RunSettings(mode: PermissionMode(value))
            settings.mode = value
        case "model":
            settings.model = value == ACPSettings.agentsOwn ? nil : value
            wanted = RunSettings(model: .some(settings.model))
        default: throw .invalidParams("\"configId\" must be \"mode\", \"model\" or \"effort\"")
        }
        await session.waitForStart()
        try await ACPFields.answering(for: session.sessionID) { () async throws(RunSessionFailure) in
            try await parts.sessions.set(wanted, of: session.runID)
        }
        return settings
    }
}
