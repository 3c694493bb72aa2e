import Core
import OrderedJSON
import TestSupport
import Testing

/// A card says in words what "for session" covers, and that a file outside the project would change.
@Suite struct ScopeWordsTests {
    @Test func theOfferIsSaidInWords() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.send(.bash("touch x && y", id: "toolu_2"))
        #expect(
            stage.pending.map(\.scopeWords) == ["Bash(touch), until the session ends or you revoke it", nil])
    }

    @Test func severalPatternsAreJoined() {
        var request = NoticeStage.request("r_1", deadline: Timestamp(milliseconds: 0))
        request.root = "/h/proj"
        request.patterns = ["Bash(npm test:*)", "Bash(make:*)"]
        #expect(
            request.scopeWords
                == "any `npm test …` in proj and any `make …` in proj, until the session ends or you revoke it")
        request.patterns += ["Bash(a:*)", "Bash(b:*)", "Bash(c:*)"]
        #expect(request.scopeWords?.hasSuffix("in proj and 2 more, until the session ends or you revoke it") == true)
    }

    @Test(arguments: [
        ("/p/a", false, false), ("/etc/hosts", false, true), ("/p/a", true, nil), ("/etc/hosts", true, nil),
    ])
    func aChangeOutsideIsMarked(path: String, diskHangs: Bool, isOutside: Bool?) {
        var stage = Stage()
        _ = stage.send(
            .tool(.preToolUse, "Edit", ["file_path": .string(path), "old_string": "a", "new_string": "b"]),
            from: HookSource(), diskHangs: diskHangs)
        #expect(stage.pending.map(\.isOutside) == [isOutside])
        let kept = Remembered(
            requests: stage.pending, sessions: stage.state.sessionViews(at: stage.now).map(\.session))
        var next = Stage()
        next.perform(next.state.restore(kept, at: stage.now))
        #expect(next.pending.map(\.isOutside) == [path != "/p/a"])
    }

    /// The start leaves a large input in the store.
    @Test(arguments: ["/p/a", "/etc/hosts"])
    func aPlaceThatTheStartCannotSeeIsUnknown(path: String) throws {
        var stage = Stage()
        stage.send(.tool(.preToolUse, "Edit", ["file_path": .string(path), "old_string": "a", "new_string": "b"]))
        var unread = try #require(stage.pending.first)
        unread.input = KeptJSON(elsewhere: unread.input.size)
        let restored = Stage.restarted([unread], at: stage.now).state.request(id: unread.id)
        #expect(try #require(restored).isOutside == nil)
    }

    @Test func aCommandIsNot() {
        var stage = Stage()
        stage.send(.bash("touch /etc/hosts"))
        #expect(stage.pending.map(\.isOutside) == [false])
    }
}
