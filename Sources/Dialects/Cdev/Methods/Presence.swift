import Core
import OrderedJSON
import Wire

extension Method {
    static let clientPresence = Method(
        "client/presence", right: .read,
        summary: "Says whether the client is in view. While one that may decide is, and was touched in the last "
            + "minute, notifications wait for 10 s.",
        parameters: [
            Parameter(
                "input_seconds", ["type": "integer", "minimum": 0, "maximum": .count(longestIdle)],
                "since its user last touched it; left out: just now"),
            Parameter("visible", ["type": "boolean"], "whether it is in view", isRequired: true),
        ],
        result: "success"
    ) { call async throws(JSONRPCError) in
        guard let isVisible = call.arguments.value("visible")?.boolValue else {
            throw .invalidParams(#""visible" is required: true or false"#)
        }
        let seconds = try call.arguments.integer("input_seconds", in: 0...longestIdle) ?? 0
        // Who cannot answer does not keep those who can from being told.
        if call.caller.may(.decide) {
            await call.services.notices.presence(of: call.caller, isVisible: isVisible, idleFor: Double(seconds))
        }
        return ["success": true]
    }

    /// A day, in seconds.
    private static let longestIdle = 86_400
}
