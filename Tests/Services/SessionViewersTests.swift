import Core
import Platform
import Services
import TestSupport
import Testing

@Suite struct SessionViewersTests {
    private let told = Locked<[String]>([])
    private let viewers: SessionViewers

    init() {
        viewers = SessionViewers(clock: ManualClock()) { [told] event in
            let words =
                switch event.body {
                case .sessionJoined(let client, let others, let who): "\(client) joined \(others)\(Self.text(who))"
                case .sessionLeft(let client, let remaining, let who): "\(client) left \(remaining)\(Self.text(who))"
                default: "\(event.body)"
                }
            let place = "\(event.workspaceID ?? "") \(event.sessionID ?? "")"
            told.withLock { $0.append("\(place): \(words) to \(event.audience?.sorted() ?? [])") }
        }
    }

    private static func text(_ names: [String: String]) -> String {
        names.sorted { $0.key < $1.key }.map { " \($0.key) is \($0.value)" }.joined()
    }

    private func look(_ client: String, _ session: String?) -> [String] {
        viewers.focus(client, on: session.map { SessionViewers.Focus(workspaceID: "w", sessionID: $0) })
    }

    private var events: [String] { told.withLock { $0 } }

    @Test func othersAreToldAndNobodyElse() {
        #expect(look("a", "s1") == [] && events == [], "nobody is there to be told")
        #expect(look("c", "s2") == [])
        #expect(look("b", "s1") == ["a"])
        #expect(events == [#"w s1: b joined ["a"] to ["a"]"#])
        #expect(viewers.viewers(of: "s1") == ["a", "b"] && viewers.viewers(of: "s9") == [])
    }

    @Test func othersAreToldWhoItIs() {
        func look(_ client: String, _ name: String, _ session: String) {
            viewers.focus(client, on: SessionViewers.Focus(workspaceID: "w", sessionID: session, name: name))
        }
        look("a", "device phone", "s1")
        look("b", "local", "s1")
        #expect(events == [#"w s1: b joined ["a"] a is device phone b is local to ["a"]"#])
        #expect(viewers.names(of: ["a", "b", "x"]) == ["a": "device phone", "b": "local"])
        told.withLock { $0 = [] }
        look("c", "", "s2")
        look("b", "local", "s2")
        #expect(
            events == [
                #"w s1: b left ["a"] a is device phone b is local to ["a"]"#,
                #"w s2: b joined ["c"] b is local to ["c"]"#,
            ])
    }

    @Test func whoLooksElsewhereLeaves() {
        for client in ["a", "b", "c"] { _ = look(client, "s1") }
        _ = look("d", "s2")
        told.withLock { $0 = [] }
        #expect(look("b", "s2") == ["d"])
        #expect(events == [#"w s1: b left ["a", "c"] to ["a", "c"]"#, #"w s2: b joined ["d"] to ["d"]"#])
    }

    @Test func sayingItAgainIsNoNews() {
        _ = look("a", "s1")
        _ = look("b", "s1")
        told.withLock { $0 = [] }
        #expect(look("b", "s1") == ["a"] && events == [])
    }

    @Test func whoIsGoneLeaves() {
        _ = look("a", "s1")
        _ = look("b", "s1")
        told.withLock { $0 = [] }
        viewers.left("b")
        viewers.left("b")
        viewers.left("never")
        #expect(events == [#"w s1: b left ["a"] to ["a"]"#] && viewers.viewers(of: "s1") == ["a"])
        viewers.left("a")
        #expect(events.count == 1 && viewers.viewers(of: "s1") == [])
    }
}
