import Core
import OrderedJSON
import Store
import Testing

struct HistoryTests {
    @Test func everyOpeningKeepsItsEnd() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let timeout = Samples.resolution(.ask, by: .timeout)
        let denied = Samples.resolution(.deny, by: .device(name: "phone"))
        let corrected = Samples.resolution(.allow, by: .terminal)
        store.append([.request(Samples.request(resolution: timeout))])
        store.append([.request(Samples.request(opening: 2))])
        try await store.commit([.request(Samples.request(opening: 2, resolution: denied))], .full)
        var delivered = denied
        delivered.isDelivered = true
        store.append([.request(Samples.request(opening: 2, resolution: delivered))])
        store.append([.request(Samples.request(opening: 2, resolution: corrected))])
        let entry = try #require(try await store.entry(of: "r_1"))
        #expect(entry.request == Samples.request(opening: 2, resolution: corrected))
        #expect(entry.endings.map(\.opening) == [1, 2, 2])
        #expect(entry.endings.map(\.revision) == [0, 0, 1])
        #expect(entry.endings.map(\.resolution) == [timeout, delivered, corrected])
        #expect(try await store.entry(of: "r_2") == nil)
    }

    @Test func anOpenRequestShowsItsFormerEnds() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let timeout = Samples.resolution(.ask, by: .timeout)
        try await store.commit([.request(Samples.request(resolution: timeout))], .normal)
        try await store.commit([.request(Samples.request(opening: 2))], .normal)
        let entry = try #require(try await store.entry(of: "r_1"))
        #expect(entry.request.isOpen)
        #expect(entry.endings.map(\.resolution) == [timeout])
        #expect(try await directory.snapshot().open().remembered.requests == [Samples.request(opening: 2)])
    }

    static let queries: [(HistoryQuery, [String])] = [
        (HistoryQuery(limit: 2), ["r_5", "r_4"]),
        (HistoryQuery(sessionID: "s1"), ["r_5", "r_3", "r_1"]),
        (HistoryQuery(sessionID: "none"), []),
        (HistoryQuery(decision: .deny), ["r_4", "r_2"]),
        (HistoryQuery(decision: .pass), []),
        (HistoryQuery(since: Timestamp(milliseconds: 4)), ["r_5", "r_4"]),
        (HistoryQuery(before: Timestamp(milliseconds: 4)), ["r_3", "r_2", "r_1"]),
        (HistoryQuery(since: Timestamp(milliseconds: 2), before: Timestamp(milliseconds: 4)), ["r_3", "r_2"]),
        (HistoryQuery(text: "SAY \"3\"\n50%"), ["r_3"]),
        (HistoryQuery(text: "say _"), []),
        (HistoryQuery(text: "toolu_r_4"), ["r_4"]),
        (HistoryQuery(text: "device PHONE"), ["r_5"]),
        (HistoryQuery(text: "sunday"), ["r_2"]),
        (HistoryQuery(text: "because", decision: .deny), ["r_4", "r_2"]),
        (HistoryQuery(text: "\\"), []),
        (HistoryQuery(text: "bash", sessionID: "s0", decision: .deny, limit: 1), ["r_4"]),
        (HistoryQuery(limit: 0), []),
    ]

    @Test(arguments: queries)
    func finds(_ query: HistoryQuery, _ expected: [String]) async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        for number in 1...5 {
            var resolution = Samples.resolution(
                number % 2 == 0 ? .deny : .allow, by: number == 5 ? .device(name: "phone") : .local)
            resolution.message = number == 2 ? "not on a Sunday" : nil
            store.append([
                .request(
                    Samples.request(
                        "r_\(number)", session: "s\(number % 2)", input: ["command": .string("say \"\(number)\"\n50%")],
                        at: Int64(number), resolution: resolution))
            ])
        }
        #expect(try await store.history(query).entries.map(\.request.id) == expected)
    }

    @Test func pagesGoOnWhereTheLastEnded() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        // More requests of the same millisecond than one slice of the search has.
        let requests = (0..<1000).map { Samples.request("r_\($0)", at: Int64($0 / 300)) }
        try await store.commit(requests.map { .request($0) }, .normal)
        var found: [String] = []
        var cursor: HistoryCursor?
        repeat {
            let page = try await store.history(HistoryQuery(limit: 150, cursor: cursor))
            found += page.entries.map(\.request.id)
            cursor = page.next
        } while cursor != nil
        #expect(found == (0..<1000).reversed().map { "r_\($0)" })
    }

    /// Each entry has its cursor, so a reader who takes only part of a page can go on behind that part.
    @Test func anyEntryCanBeGoneOnFrom() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit((0..<4).map { .request(Samples.request("r_\($0)", at: 7)) }, .normal)
        let second = try await store.history(HistoryQuery()).entries[1].cursor
        let rest = try await store.history(HistoryQuery(cursor: second))
        #expect(rest.entries.map(\.request.id) == ["r_1", "r_0"])
    }

    @Test func aPageOfLargeInputsEndsEarly() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let large: JSON = ["content": .string(String(repeating: "x", count: 1 << 20))]
        try await store.commit((0..<6).map { .request(Samples.request("r_\($0)", input: large, at: 7)) }, .normal)
        let page = try await store.history(HistoryQuery())
        #expect(page.entries.count == 4)
        let rest = try await store.history(HistoryQuery(cursor: page.next))
        #expect(rest.entries.map(\.request.id) == ["r_1", "r_0"] && rest.next == nil)
    }

    /// A text that nearly matches everywhere: compared at each place, it took a minute for ten megabytes, in which no
    /// decision was written.
    @Test(.timeLimit(.minutes(1))) func aSearchOfARepetitiveInputTakesNoLonger() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let input: JSON = ["content": .string(String(repeating: "A", count: 8 << 20))]
        try await store.commit([.request(Samples.request(input: input))], .normal)
        let text = String(repeating: "a", count: 255)
        for (text, count) in [(text, 1), (text + "b", 0)] {
            #expect(try await store.history(HistoryQuery(text: text)).entries.count == count)
        }
        #expect(await store.statementTexts.allSatisfy { !$0.contains(" LIKE ") })
    }

    @Test func aSearchThatIsNoLongerWantedEnds() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let search = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.history(HistoryQuery(text: "x"))
        }
        await #expect(throws: CancellationError.self) { try await search.value }
    }
}
