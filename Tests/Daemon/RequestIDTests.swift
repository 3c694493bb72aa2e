import OrderedJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct RequestIDTests {
    /// What the index of the database relies on, and what a person types.
    @Test func beginsAtRandomAndEndsInItsTime() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        var ids: [String] = []
        for number in 1...3 {
            let relay = try await test.relay(bash("touch x", id: "toolu_\(number)"))
            let id = try await approver.message("event/pty_permission")["request_id"] ?? ""
            ids.append(id.stringValue ?? "")
            _ = try await test.call("permission/respond", ["request_id": id, "decision": "deny"])
            _ = try await relay.response()
            test.clock.advance(by: 1)
        }
        #expect(ids.allSatisfy { $0.hasPrefix("r_") && $0.count == 28 })
        #expect(ids.map { $0.suffix(10) } == ids.map { $0.suffix(10) }.sorted())
        #expect(Set(ids.map { $0.suffix(10) }).count == 3)
        #expect(Set(ids.map { $0.dropFirst(2).prefix(16) }).count == 3)
    }
}
