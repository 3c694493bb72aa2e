import Core
import OrderedJSON
import Services
import TestSupport
import Testing

/// `#expect` takes no call that changes a value.
private final class Links {
    private var state: AnswerLinkState

    init(_ links: [AnswerLink]) { state = AnswerLinkState(links) }

    func add(_ link: AnswerLink, at now: Timestamp) -> [[UInt8]]? { state.add(link, at: now) }
    func begin(_ link: AnswerLink) -> Bool { state.begin(link) }
    func end(_ link: AnswerLink, isAccepted: Bool, at now: Timestamp) -> AnswerLink? {
        state.end(link, isAccepted: isAccepted, at: now)
    }
    func ended(_ request: PermissionRequest) -> [[UInt8]] { state.ended(request) }
    func isAlive(_ link: AnswerLink) -> Bool { state.isAlive(link) }
    func link(_ hash: [UInt8]) -> AnswerLink? { state.link(hash) }
}

/// Which answer links there are, and for how long.
struct AnswerLinkStateTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    private func link(
        _ number: UInt8, verb: Decision = .deny, channel: String = "ntfy", opening: Int = 1, question: String = "r_1",
        expires: Double = 3600
    ) -> AnswerLink {
        AnswerLink(
            hash: [number], requestID: question, opening: opening, verb: verb, channel: channel, destination: [1],
            createdAt: Self.now + Double(number), expiresAt: Self.now + expires)
    }

    private func request(_ id: String = "r_1", opening: Int = 1) -> PermissionRequest {
        var request = PermissionRequest(
            id: id, toolUseID: "t", sessionID: "s", event: .preToolUse, tool: .claude("Bash"), input: KeptJSON([:]),
            cwd: "/p",
            patterns: [], createdAt: Self.now, deadline: Self.now + 60)
        request.opening = opening
        return request
    }

    @Test func eachAttemptHasItsOwnAndTheOldestDies() {
        let state = Links([])
        for number in UInt8(1)...8 { #expect(state.add(link(number), at: Self.now) == []) }
        #expect(state.add(link(101, verb: .allow), at: Self.now) == [], "another verb")
        #expect(state.add(link(102, channel: "webhook"), at: Self.now) == [], "another channel")
        #expect(state.add(link(103, opening: 2), at: Self.now) == [], "another opening")
        #expect(state.add(link(9), at: Self.now) == [[1]])
        #expect(state.link([1]) == nil && state.link([2]) != nil && state.link([101]) != nil)
    }

    @Test func thoseOfBeforeAStartCountToo() {
        let state = Links((1...8).map { link($0) }.reversed())
        #expect(state.add(link(9), at: Self.now) == [[1]])
    }

    @Test func theyEndWithTheirRequest() {
        let state = Links([])
        for number in UInt8(1)...2 { _ = state.add(link(number), at: Self.now) }
        _ = state.add(link(3, opening: 2), at: Self.now)
        #expect(Set(state.ended(request())) == [[1], [2]])
        #expect(state.ended(request()) == [], "once")
        #expect(state.link([1]) != nil && !state.isAlive(link(1)), "who comes too late is told how it ended")
        #expect(state.isAlive(link(3, opening: 2)), "what was opened again is another request")
        #expect(state.add(link(4), at: Self.now) == nil, "none is made any more")
    }

    @Test func theEndsAreForgottenOneDay() {
        let state = Links([link(1)])
        _ = state.ended(request())
        for number in 0..<AnswerLinkState.mostEnded { _ = state.ended(request("q_\(number)")) }
        #expect(state.link([1]) == nil)
    }

    @Test func onlyAnAcceptedAnswerUsesALinkUp() {
        let state = Links([link(1)])
        #expect(state.begin(link(1)))
        #expect(!state.begin(link(1)), "one at a time")
        #expect(state.end(link(1), isAccepted: false, at: Self.now) == nil)
        #expect(state.begin(link(1)))
        #expect(state.end(link(1), isAccepted: true, at: Self.now)?.usedAt == Self.now)
        #expect(!state.begin(link(1)))
    }

    @Test func ofARequestThatHasEndedNothingIsWrittenDown() {
        let state = Links([link(1)])
        #expect(state.begin(link(1)))
        #expect(state.ended(request()) == [[1]])
        #expect(state.end(link(1), isAccepted: true, at: Self.now) == nil)
        #expect(state.link([1])?.usedAt == Self.now && !state.begin(link(1)))
    }

    @Test func whatHasExpiredGoes() {
        let state = Links([])
        _ = state.add(link(1, expires: 10), at: Self.now)
        #expect(state.add(link(2), at: Self.now + 10) == [[1]])
    }
}
