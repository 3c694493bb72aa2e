import Core
import Store
import Testing

struct EventTests {
    @Test func givesPages() async throws {
        let (store, _, _directory) = try await storeWith(events: 1...10)
        #expect(try await store.events(from: 1, limit: 4) == page([1, 2, 3, 4], next: 5, gap: false, hasMore: true))
        #expect(try await store.events(from: 9, limit: 4) == page([9, 10], next: 11, gap: false))
        #expect(try await store.events(from: 11, limit: 4) == page([], next: 11, gap: false))
        #expect(try await store.events(from: 99, limit: 0) == page([], next: 99, gap: false))
        #expect(try await store.events(from: -5, limit: 2) == page([1, 2], next: 3, gap: true, hasMore: true))
        _ = _directory
    }

    @Test func showsWhatWasJustAppended() async throws {
        let (store, pauses, _directory) = try await storeWith(events: 1...2)
        store.append([Samples.event(3)])
        #expect(try await store.events(from: 3, limit: 9) == page([3], next: 4, gap: false))
        _ = (_directory, pauses)
    }

    @Test func aPageIsBoundedInBytes() async throws {
        let (store, _, _directory) = try await storeWith(events: 1...1)
        try await store.commit((2...5).map { Samples.event($0, text: String(repeating: "é", count: 500)) }, .normal)
        #expect(try await store.events(from: 2, limit: 9, maxBytes: 2_100).events.map(\.sequence) == [2, 3])
        let single = try await store.events(from: 2, limit: 9, maxBytes: 10)
        #expect(single.events.map(\.sequence) == [2])
        #expect(single.hasMore)
        _ = _directory
    }

    @Test func anEventWrittenTwiceIsWrittenOnce() async throws {
        let (store, _, _directory) = try await storeWith(events: 1...3)
        try await store.commit([Samples.event(2, text: "other"), Samples.event(4)], .normal)
        #expect(try await store.events(from: 1, limit: 9) == page([1, 2, 3, 4], next: 5, gap: false))
        // Nor are its bytes counted twice.
        var retention = Retention()
        retention.eventBytes = 4 * Int64(Samples.emptyEvent)
        try await store.sweep(retention)
        #expect(try await store.events(from: 1, limit: 9).events.count == 4)
        _ = _directory
    }

    @Test func theOldestGoAfterADayAndLeaveAGap() async throws {
        let directory = try StoreDirectory()
        let day: Int64 = 86_400_000
        let (store, _) = try await directory.open(now: 2 * day)
        try await store.commit(
            (1...500).map { Samples.event($0, at: $0 <= 300 ? day - 1 : day) }, .normal)
        try await store.sweep(Retention())
        let left = try await store.events(from: 300, limit: 2)
        #expect(left.events.map(\.sequence) == [301, 302] && left.nextSequence == 303 && left.gap && left.hasMore)
        #expect(try await store.events(from: 301, limit: 1).gap == false)
        try await store.close(nextSequence: 501)
        #expect(try await directory.open().store.events(from: 300, limit: 1).gap)
    }

    @Test func theOldestGoWhereThereAreTooManyBytes() async throws {
        let (store, _, directory) = try await storeWith(events: 1...1)
        let text = String(repeating: "x", count: 1000 - Samples.emptyEvent)
        try await store.commit((2...401).map { Samples.event($0, text: text) }, .normal)
        var retention = Retention()
        retention.eventBytes = 100_000
        try await store.sweep(retention)
        let left = try await store.events(from: 1, limit: 1000)
        #expect(left.events.map(\.sequence) == Array(302...401))
        #expect(left.gap)
        // After a start, the running total of bytes continues.
        try await store.close(nextSequence: 402)
        let (second, _) = try await directory.open()
        try await second.commit((402...411).map { Samples.event($0, text: text) }, .normal)
        try await second.sweep(retention)
        #expect(try await second.events(from: 1, limit: 1000).events.map(\.sequence) == Array(312...411))
    }

    @Test func anEmptyReplayBeginsAgain() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 200_000_000)
        try await store.commit([Samples.event(1, at: 1), Samples.event(2, at: 1)], .normal)
        try await store.sweep(Retention())
        #expect(try await store.events(from: 1, limit: 9) == page([], next: 3, gap: true))
        try await store.commit([Samples.event(3)], .normal)
        #expect(try await store.events(from: 3, limit: 9) == page([3], next: 4, gap: false))
    }

    private func storeWith(events: ClosedRange<Int64>) async throws -> (Store, Pauses, StoreDirectory) {
        let directory = try StoreDirectory()
        let pauses = Pauses()
        let (store, _) = try await directory.open { $0.pause = pauses.option }
        try await store.commit(events.map { Samples.event($0) }, .normal)
        return (store, pauses, directory)
    }
}
