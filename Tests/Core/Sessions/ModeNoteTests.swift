import Core
import TestSupport
import Testing

/// What a session's permission mode means for requests is said, where nobody would be asked.
@Suite struct ModeNoteTests {
    @Test(arguments: [
        (PermissionMode.default, Policy.Gate.toolCall, nil), (.acceptEdits, .toolCall, nil), (.auto, .always, nil),
        (.auto, .auto, "decides by itself in mode auto"), (.plan, .toolCall, "decides by itself in mode plan"),
        (.dontAsk, .prompt, "decides by itself in mode dontAsk"),
        (.bypassPermissions, .always, "asks about nothing in mode bypassPermissions"),
    ])
    func saysWhereNothingIsAsked(mode: PermissionMode, gate: Policy.Gate, expected: String?) {
        var policy = Policy()
        policy.gate = gate
        var stage = Stage(policy)
        stage.send(.tool(.preToolUse, mode: mode))
        let note = stage.state.sessionViews(at: stage.now)[0].modeNote
        #expect(expected.map { note?.contains($0) == true } ?? (note == nil))
    }
}
