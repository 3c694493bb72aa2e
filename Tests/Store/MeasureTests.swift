import Core
import FoundationEssentials
import OrderedJSON
import Store
import Testing

/// Prints measurements and expects nothing of them; `CDEV_MEASURE=1 swift test -c release --filter MeasureTests`.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["CDEV_MEASURE"] != nil))
struct MeasureTests {
    static let input: JSON = ["command": .string(String(repeating: "x", count: 1200)), "description": "measure"]
    static let day: Int64 = 86_400_000

    @Test(arguments: [Durability.normal, .full]) func commits(_ durability: Durability) async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        var times: [Double] = []
        for number in 0..<4000 {
            let request = Samples.request("r_\(number)", input: Self.input, at: Int64(number))
            times.append(try await microseconds { try await store.commit([.request(request)], durability) })
        }
        show("commit \(durability)", times)
    }

    @Test func aHundredLargeAnswers() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        for number in 0..<100 {
            var resolution = Samples.resolution(at: 1_000_000_000 + Int64(number))
            resolution.update = KeptJSON(["command": .string(String(repeating: "y", count: 1_000_000))])
            let request = Samples.request(
                "r_\(1000 + number)", at: 1_000_000_000 + Int64(number), resolution: resolution)
            try await store.commit([.request(request)], .normal)
        }
        try await store.close(nextSequence: 1)
        show("open with large answers", [try await microseconds { _ = try await directory.open() }])
    }

    @Test func aMillionRows() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 100 * Self.day)
        for start in stride(from: 0, to: 1_000_000, by: 5000) {
            let changes = (start..<start + 5000).flatMap { number -> [StoreChange] in
                let end = Int64(number < 990_000 ? 60 : 99) * Self.day + Int64(number)
                let resolution = Samples.resolution(at: end)
                let request = Samples.request("r_\(number)", input: Self.input, at: end, resolution: resolution)
                let text = String(repeating: "e", count: 250)
                return [.request(request), Samples.event(Int64(number + 1), at: 100 * Self.day, text: text)]
            }
            try await store.commit(changes, .normal)
        }
        try await store.close(nextSequence: 1_000_001)
        var reopened: Store?
        let opening = try await microseconds { reopened = try await directory.open(now: 100 * Self.day).store }
        let second = try #require(reopened)
        show("open with a million rows", [opening])
        var times: [Double] = []
        for number in 0..<1000 {
            let request = Samples.request("n_\(number)", input: Self.input, at: 100 * Self.day)
            times.append(try await microseconds { try await second.commit([.request(request)], .normal) })
        }
        show("commit normal", times)
        show("newest page", [try await microseconds { _ = try await second.history(HistoryQuery()) }])
        show(
            "search of all",
            [try await microseconds { _ = try await second.history(HistoryQuery(text: "nowhere")) }])
        let sweep = Task { try await microseconds { try await second.sweep(Retention(days: 30)) } }
        times = []
        while times.count < 20_000 {
            times.append(try await microseconds { try await second.commit([.rule(Samples.rule())], .normal) })
        }
        show("commit normal during the sweep", times)
        show("sweep of 990,000 requests", [try await sweep.value])
    }

    private func microseconds(_ body: () async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let time = try await clock.measure { try await body() }
        return Double(time.components.seconds) * 1e6 + Double(time.components.attoseconds) / 1e12
    }

    private func show(_ name: String, _ times: [Double]) {
        let sorted = times.sorted()
        print(
            "\(name): p50 \(sorted[sorted.count / 2]) µs, p99 \(sorted[sorted.count * 99 / 100]) µs, max \(sorted.last!) µs"
        )
    }
}
