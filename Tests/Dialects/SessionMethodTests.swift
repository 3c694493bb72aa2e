import Core
import Dialects
import OrderedJSON
import Services
import Testing

@Suite struct SessionMethodTests {
    private func daemon() async -> FakeDaemon {
        let daemon = FakeDaemon()
        let session = ExternalSession(
            id: "s1", cwd: "/p", root: "/p", startedAt: moment(0), title: "t", lastPrompt: "p", gate: .always)
        var view = SessionView(session: session, state: .active, currentTool: nil, pendingRequests: 0)
        view.gate = .always
        let kept = view
        await daemon.set { $0.views = [kept] }
        return daemon
    }

    @Test(arguments: [("always", "always", true), ("tool-call", "tool-call", true), (nil, "auto", false)])
    func setsTheGate(gate: String?, inForce: String, isOwn: Bool) async throws {
        let params: JSON = ["session_id": "s1", "gate": gate.map(JSON.string) ?? .null]
        let result = try #require(try await answer(call("session/gate", params), daemon())?["result"])
        #expect(result["success"] == true && result["gate"]?.stringValue == inForce)
        #expect(result["gate_own"]?.boolValue == isOwn)
    }

    @Test(
        arguments: [
            (["gate": "always"], "\"session_id\" is required"), (["session_id": "", "gate": "always"], "is required"),
            (["session_id": "s1", "gate": "never"], "gate"), (["session_id": "s1", "gate": 7], "gate"),
            (["session_id": "s9", "gate": "always"], "no open session"),
        ] as [(JSON, String)])
    func refusesWhatItDoesNotUnderstand(params: JSON, words: String) async throws {
        let error = try await answer(call("session/gate", params), daemon())?["error"]
        #expect(error?["message"]?.stringValue?.contains(words) == true)
    }

    @Test func onlyWhoMayAnswerSetsIt() async throws {
        let viewer = FakeClient(rights: [.read], as: .device(id: "d_1", name: "phone"))
        let params: JSON = ["session_id": "s1", "gate": "prompt"]
        #expect(try await answer(call("session/gate", params), daemon(), viewer)?["error"] != nil)
        let phone = FakeClient(rights: .approver, as: .device(id: "d_1", name: "phone"))
        #expect(try await answer(call("session/gate", params), daemon(), phone)?["result"] != nil)
    }

    @Test func isListed() async throws {
        let sessions = try await answer(call("hook/sessions"), daemon())?["result"]?["sessions"]?.arrayValue
        let session = try #require(sessions?.first)
        #expect(session["gate"] == "always" && session["gate_own"] == true)
        #expect(session["title"] == "t" && session["last_prompt"] == "p")
    }

    @Test func saysThatItIsNotWritten() async throws {
        let daemon = await daemon()
        await daemon.set { $0.isStoreBroken = true }
        let error = try await answer(call("session/gate", ["session_id": "s1", "gate": "always"]), daemon)?["error"]
        #expect(error?["message"]?.stringValue?.contains("as it was") == true)
    }
}
