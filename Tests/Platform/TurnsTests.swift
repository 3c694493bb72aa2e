import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TurnsTests {
    private let turns = Turns(mostWaiting: 2)
    private let done = Locked<[String]>([])

    private func work(_ name: String, _ key: String = "phone") -> Task<Bool, Never> {
        Task { [turns, done] in
            guard await turns.begin(key) else { return false }
            done.withLock { $0.append(name) }
            return true
        }
    }

    private func begun(_ count: Int) async throws -> [String] {
        while done.withLock({ $0.count }) < count { try await letOthersRun() }
        return done.withLock { $0 }
    }

    @Test func oneAtATimeInOrder() async throws {
        #expect(await work("a").value)
        let second = work("b")
        while turns.waiting("phone") < 1 { try await letOthersRun() }
        let third = work("c")
        while turns.waiting("phone") < 2 { try await letOthersRun() }
        #expect(await work("d").value == false, "so many may wait, and no more")
        #expect(await work("e", "tablet").value, "others have a turn of their own")
        #expect(done.withLock { $0 } == ["a", "e"])
        turns.end("phone")
        #expect(try await begun(3).last == "b")
        turns.end("phone")
        #expect(try await begun(4).last == "c")
        turns.end("phone")
        #expect(await second.value)
        #expect(await third.value)
        #expect(await work("f").value, "nobody is before")
        #expect(turns.waiting("phone") == 0)
    }
}
