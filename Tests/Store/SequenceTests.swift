import Core
import Store
import Testing

/// No sequence number is given out twice, whatever ended the daemon.
struct SequenceTests {
    @Test func beginsWithOne() async throws {
        let directory = try StoreDirectory()
        #expect(try await directory.open().remembered.nextSequence == 1)
    }

    @Test func goesOnExactlyAfterACleanClose() async throws {
        let directory = try StoreDirectory()
        for next in [5, 5, 90, 91] as [Int64] {
            let (store, _) = try await directory.open()
            try await store.commit([.sequenceCeiling(100_000)], .normal)
            try await store.close(nextSequence: next)
            let reopened = try await directory.snapshot().open()
            #expect(reopened.remembered.nextSequence == next)
            #expect(try await reopened.store.events(from: next - 1, limit: 1).gap == false)
        }
    }

    @Test func startsAboveTheCeilingAfterAnUncleanStop() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.sequenceCeiling(100_000), Samples.event(1), Samples.event(2)], .normal)
        let copy = try directory.snapshot()
        let (second, remembered) = try await copy.open()
        #expect(remembered.nextSequence == 100_001)
        // The last events that were sent may not have been written.
        #expect(try await second.events(from: 3, limit: 9) == page([], next: 100_001, gap: true))
        #expect(try await second.events(from: 100_001, limit: 9).gap == false)
    }

    @Test func aStopRightAfterTheStartIsUncleanToo() async throws {
        let directory = try StoreDirectory()
        _ = try await directory.open()
        let next = try await directory.snapshot().open().remembered.nextSequence
        #expect(next > 1)
        let (store, _) = try await directory.snapshot().open()
        try await store.close(nextSequence: 4)
    }

    @Test func aGapIsRememberedOverACleanClose() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.sequenceCeiling(500)], .normal)
        let copy = try directory.snapshot()
        let (second, remembered) = try await copy.open()
        try await second.close(nextSequence: remembered.nextSequence)
        let (third, _) = try await copy.open()
        #expect(try await third.events(from: 400, limit: 1).gap)
    }

    @Test func aCeilingNeverFalls() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.sequenceCeiling(90_000)], .normal)
        try await store.commit([.sequenceCeiling(50)], .normal)
        #expect(try await directory.snapshot().open().remembered.nextSequence == 90_001)
    }
}

func page(_ numbers: [Int64], next: Int64, gap: Bool, hasMore: Bool = false) -> EventPage {
    EventPage(
        events: numbers.map { .record(Samples.record($0)) }, nextSequence: next, gap: gap, hasMore: hasMore)
}
