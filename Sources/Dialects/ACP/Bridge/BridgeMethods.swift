import Core
import OrderedJSON
import Services
import Wire

/// The methods of the bridge for the session that a phone has open.
struct BridgeMethods: MethodGroup {
    let parts: ACPServices.Parts

    private var opening: ACPOpening { ACPOpening(parts: parts) }

    var methods: [Method] { [cancel, initialize, mode, new, prompt] }

    private var initialize: Method {
        Method(
            "initialize", right: .drive, summary: "Begins: tells the version of the protocol and what is offered.",
            parameters: .object("client_info", "the app's `name` and `version`"), result: .anyObject
        ) { call, info async throws(JSONRPCError) in
            await call.client.introduce(
                ClientIntroduction(
                    name: info?["name"]?.stringValue ?? "", version: info?["version"]?.stringValue ?? "",
                    isApprover: false))
            var answer: JSONObject = [
                // Whatever the app speaks: it looks for "0.2" itself, and leaves.
                "protocol_version": "0.2.2", "agent_capabilities": Self.capabilities, "auth_methods": [],
                "agent_info": ["name": "cdev", "title": "Claude Code (cdev)", "version": .string(Version.text)],
            ]
            if let path = await lastPlace() { answer["_meta"] = ["working_directory": .string(path)] }
            return .object(answer)
        }
    }

    /// The app decodes nothing that has one member less.
    private static let capabilities: JSON = [
        "load_session": false,
        "prompt_capabilities": ["image": true, "audio": false, "embedded_context": true],
        "mcp_capabilities": ["http": false, "sse": false],
    ]

    /// The directory of the workspace that was active last.
    private func lastPlace() async -> String? {
        let workspaces = await parts.workspaces.workspaces(gitLimit: 0).map(\.workspace)
        return workspaces.max { $0.lastActive < $1.lastActive }?.path
    }

    private var new: Method {
        Method(
            "session/new", right: .drive, scheduling: .beside(limit: 8),
            summary: "Starts a session, in the directory that was worked in last unless \"cwd\" names one.",
            parameters: BridgeFields.cwd, BridgeFields.servers, BridgeFields.mode, result: .anyObject
        ) { call, cwd, servers, _ async throws(JSONRPCError) in
            try ACPServers.require(servers, from: ACPFields.client(of: call).caller)
            let last = await lastPlace()
            guard let path = cwd ?? last else {
                throw .invalidParams("\"cwd\" is required: there is no workspace yet")
            }
            let workspace = try await opening.workspace(at: path)
            let session = try await opening.started(RunSessionOrder(workspaceID: workspace.id, servers: servers))
            let opened = try await opening.open(session, as: session.agentID, for: call)
            (call.client as? ACPClient)?.afterAnswer {
                opened.tellProvider()
                opened.begin()
                Task { await opened.tellCommands() }
            }
            return ["session_id": .id(opened.sessionID)]
        }
    }

    private var prompt: Method {
        Method(
            "session/prompt", right: .drive, scheduling: .beside(limit: 8),
            summary: "Sends a prompt, and answers at once. What it leads to comes as updates.",
            parameters: BridgeFields.prompt, BridgeFields.session, result: .anyObject
        ) { call, blocks, id async throws(JSONRPCError) in
            let known = try ACPFields.client(of: call).session(id)
            let session = if let known { known } else { try await opening.followed(id, for: call) }
            let prompt = SessionPrompt(id: UUIDText.random(), blocks: blocks, sender: call.caller.deviceID)
            _ = session.expect(prompt.id, by: nil)
            do throws(JSONRPCError) {
                let receipt = try await ACPFields.answering(for: id) { () async throws(RunSessionFailure) in
                    try await parts.sessions.send(prompt, to: session.runID)
                }
                session.tellFailure(of: prompt.id)
                let status = known == nil ? "resumed" : receipt == .sent ? "started" : "accepted"
                return ["status": .string(status)]
            } catch {
                session.forget(prompt.id)
                throw error
            }
        }
    }

    private var cancel: Method {
        Method(
            "session/cancel", right: .drive, summary: "Stops what a session works on.",
            parameters: BridgeFields.session, result: .anyObject
        ) { call, id async throws(JSONRPCError) in
            guard let session = try ACPFields.client(of: call).session(id) else {
                return ["status": "no_active_session"]
            }
            session.cancel()
            do {
                try await parts.sessions.interrupt(session.runID, cancelsQueued: true)
                return ["status": "cancelled"]
            } catch {
                return ["status": "no_active_session"]
            }
        }
    }

    private var mode: Method {
        Method(
            "session/set_mode", right: .drive, summary: "Takes Claude Code, the only agent here.",
            parameters: BridgeFields.mode, BridgeFields.session, result: .anyObject
        ) { call, _, id async throws(JSONRPCError) in
            let session = try ACPFields.open(id, for: call)
            (call.client as? ACPClient)?.afterAnswer { session.tellProvider() }
            return [:]
        }
    }
}
