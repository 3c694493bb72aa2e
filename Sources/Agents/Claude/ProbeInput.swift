/// Inputs as Claude Code gives them to its hooks, for testing if hooks reach the daemon. The call uses a tool that is
/// never held.
package enum ProbeInput {
    package static func call(_ session: String) -> String {
        input(
            session, "PreToolUse",
            #""permission_mode":"default","tool_name":"Read","tool_input":{},"tool_use_id":"toolu_doctor""#)
    }

    package static func start(_ session: String) -> String { input(session, "SessionStart", #""source":"startup""#) }

    package static func end(_ session: String) -> String { input(session, "SessionEnd", #""reason":"other""#) }

    /// - Parameter session: An id without quotes.
    private static func input(_ session: String, _ event: String, _ rest: String) -> String {
        #"{"session_id":"\#(session)","cwd":"/","hook_event_name":"\#(event)",\#(rest)}"#
    }
}
