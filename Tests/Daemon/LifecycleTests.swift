import Daemon
import Platform
import Testing

@Suite struct LifecycleTests {
    private let done = Locked<[String]>([])

    private func lifecycle(failing: String? = nil) -> Lifecycle {
        Lifecycle(
            ["store", "server", "socket"].map { name in
                Stage(
                    name,
                    begin: { [done] () async throws(StartError) in
                        if name == failing { throw .openWithoutTLS(host: name) }
                        done.withLock { $0.append("begin \(name)") }
                    },
                    end: { [done] in done.withLock { $0.append("end \(name)") } })
            })
    }

    @Test func endsInTheReverseOrder() async throws {
        try await lifecycle().begin()
        await lifecycle().end()
        let expected = ["begin store", "begin server", "begin socket", "end socket", "end server", "end store"]
        #expect(done.withLock { $0 } == expected)
    }

    @Test(arguments: [
        ("store", []), ("server", ["begin store", "end store"]),
        ("socket", ["begin store", "begin server", "end server", "end store"]),
    ])
    func endsOnlyWhatHasBegun(failing: String, expected: [String]) async {
        await #expect(throws: StartError.self) { try await lifecycle(failing: failing).begin() }
        #expect(done.withLock { $0 } == expected)
    }
}
