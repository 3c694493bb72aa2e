import Core
import Testing

struct PairingBookTests {
    private static let start = Instant(milliseconds: 1_000_000)
    private let phone = PairingCandidate(name: "phone", platform: "iOS", address: "192.0.2.7")

    private func at(_ seconds: Double) -> Instant { Self.start + seconds }

    private func invited(_ name: String? = nil, level: AccessLevel = .approve) -> PairingBook {
        var book = PairingBook()
        _ = book.offer(id: "o1", token: [1], code: [2], name: name, level: level, at: at(0))
        return book
    }

    private func exchange(
        _ book: inout PairingBook, _ token: [UInt8], at seconds: Double, id: String = "q1"
    ) -> PairingBook.Exchanged {
        book.exchange(token: token, by: phone, requestID: id, at: at(seconds))
    }

    // MARK: By link

    @Test func aLinkLetsInOnce() {
        var book = invited("mine", level: .view)
        guard case .granted(let offer, let name) = exchange(&book, [1], at: 119) else {
            Issue.record("not let in")
            return
        }
        #expect(offer.id == "o1" && offer.name == "mine" && offer.level == .view && name == "phone")
        #expect(exchange(&book, [1], at: 119) == .spent)
        #expect(book.type(code: [2], ticket: [3], at: at(119)) == .none, "the code ends with it")
        book.used("o1", by: "d_1")
        #expect(book.recentOffers(at: at(120)).map(\.state) == [.used(device: "d_1")])
    }

    @Test func aLinkEndsAfterTwoMinutes() {
        var book = invited()
        #expect(exchange(&book, [1], at: 120) == .expired)
        #expect(book.recentOffers(at: at(120)).map(\.state) == [.expired])
        #expect(exchange(&book, [1], at: 120 + 601) == .unknown)
    }

    @Test func anUnknownTokenLetsNobodyIn() {
        var book = invited()
        #expect(exchange(&book, [9], at: 1) == .unknown && exchange(&book, [], at: 1) == .unknown)
        #expect(exchange(&book, [2], at: 1) == .unknown, "the code is no token")
    }

    @Test func whatCouldNotBeTakenInIsOver() {
        var book = invited()
        _ = exchange(&book, [1], at: 1)
        book.used("o1", by: nil)
        #expect(book.recentOffers(at: at(2)).map(\.state) == [.rejected])
        #expect(exchange(&book, [1], at: 2) == .spent)
    }

    // MARK: By code

    private func typed(_ book: inout PairingBook, at seconds: Double = 10) {
        #expect(book.type(code: [2], ticket: [3], at: at(seconds)) == .ticket(expiresAt: at(seconds + 120).wall))
    }

    @Test func aCodeLetsNobodyInWithoutAYes() throws {
        var book = invited("mine")
        typed(&book)
        #expect(book.recentOffers(at: at(10)).map(\.state) == [.claimed(request: nil)])
        guard case .waiting(let request, isNew: true) = exchange(&book, [3], at: 11) else { throw Unexpected() }
        #expect(request.name == "mine" && request.address == "192.0.2.7" && request.expiresAt == at(130).wall)
        for second in 12..<120 {
            #expect(exchange(&book, [3], at: Double(second), id: "q2") == .waiting(request, isNew: false))
        }
        #expect(book.waiting(at: at(129)) == [request])
        #expect(book.settle("q1", approved: true, at: at(129))?.state == .approved)
        guard case .granted(let offer, "mine") = exchange(&book, [3], at: 129) else { throw Unexpected() }
        #expect(offer.id == "o1")
        #expect(exchange(&book, [3], at: 129) == .spent && book.waiting(at: at(129)) == [])
    }

    @Test func aNoIsANo() {
        var book = invited()
        typed(&book)
        _ = exchange(&book, [3], at: 11)
        #expect(book.settle("q1", approved: false, at: at(12))?.state == .rejected)
        #expect(exchange(&book, [3], at: 13) == .rejected)
        #expect(book.settle("q1", approved: true, at: at(14)) == nil, "nobody changes it to a yes")
        #expect(book.recentOffers(at: at(14)).map(\.state) == [.rejected])
    }

    @Test func aYesComesTooLate() {
        var book = invited()
        typed(&book)
        _ = exchange(&book, [3], at: 11)
        #expect(book.settle("q1", approved: true, at: at(130)) == nil)
        #expect(exchange(&book, [3], at: 130) == .expired)
        #expect(book.waiting(at: at(130)) == [])
    }

    /// The device asks every two seconds; an approval in the last moment must still reach it.
    @Test(arguments: [(138.9, true), (139, false)]) func aYesIsGoodForAMoment(_ seconds: Double, _ isGranted: Bool) {
        var book = invited()
        typed(&book)
        _ = exchange(&book, [3], at: 11)
        #expect(book.settle("q1", approved: true, at: at(129)) != nil)
        #expect(book.recentOffers(at: at(135)).map(\.state) == [.claimed(request: "q1")])
        let outcome = exchange(&book, [3], at: seconds)
        if case .granted = outcome { #expect(isGranted) } else { #expect(outcome == .expired && !isGranted) }
    }

    @Test func aTicketNobodyUsesEnds() {
        var book = invited()
        typed(&book, at: 119)
        #expect(book.recentOffers(at: at(238)).map(\.state) == [.claimed(request: nil)])
        #expect(book.recentOffers(at: at(239)).map(\.state) == [.rejected])
        #expect(exchange(&book, [3], at: 239) == .expired)
    }

    @Test func theLinkEndsWhenTheCodeIsTyped() {
        var book = invited()
        typed(&book)
        #expect(exchange(&book, [1], at: 11) == .spent)
        #expect(book.type(code: [2], ticket: [4], at: at(11)) == .none, "and the code too")
    }

    @Test func fiveWrongCodesMakeItVoid() {
        var book = invited()
        for left in (0..<5).reversed() {
            #expect(book.type(code: [9], ticket: [3], at: at(1)) == .wrong(attemptsLeft: left))
        }
        #expect(book.type(code: [2], ticket: [3], at: at(2)) == .none, "the right one comes too late")
        #expect(exchange(&book, [3], at: 3) == .unknown)
        guard case .granted = exchange(&book, [1], at: 3) else {
            Issue.record("the link is not void: nobody guesses 128 bits")
            return
        }
    }

    @Test func aWrongCodeCountsAgainstEveryOffer() {
        var book = invited()
        _ = book.type(code: [9], ticket: [3], at: at(1))
        _ = book.offer(id: "o2", token: [11], code: [12], name: nil, level: .view, at: at(1))
        for _ in 0..<4 { _ = book.type(code: [9], ticket: [3], at: at(2)) }
        #expect(book.recentOffers(at: at(2)).map(\.attemptsLeft) == [0, 1])
        #expect(book.type(code: [2], ticket: [3], at: at(2)) == .wrong(attemptsLeft: 0), "void, so it is a wrong one")
        #expect(book.type(code: [12], ticket: [3], at: at(2)) == .none)
    }

    @Test func aCodeEndsAfterTwoMinutes() {
        var book = invited()
        #expect(book.type(code: [2], ticket: [3], at: at(120)) == .none)
    }

    // MARK: Offers

    @Test func anOfferIsTakenBack() {
        var book = invited()
        #expect(book.cancel("o1", at: at(1)) == true)
        #expect(book.cancel("o1", at: at(1)) == false && book.cancel("o9", at: at(1)) == false)
        #expect(exchange(&book, [1], at: 2) == .spent)
        #expect(book.type(code: [2], ticket: [3], at: at(2)) == .none)
    }

    @Test func keepsEightOffers() {
        var book = PairingBook()
        for number in UInt8(0)..<10 {
            _ = book.offer(id: "o\(number)", token: [number], code: [100 + number], name: nil, level: .view, at: at(1))
        }
        let states = book.recentOffers(at: at(2)).map(\.state)
        #expect(states.prefix(2) == [.expired, .expired] && states.dropFirst(2).allSatisfy { $0 == .open })
    }

    private struct Unexpected: Error {}

    // MARK: A clock that is set

    @Test func aCodeIsGoodForTwoMinutesWhateverTheClockIsSetTo() {
        var book = invited()
        let later = Instant(wall: at(-3600).wall, uptime: at(120).uptime)
        #expect(book.type(code: [2], ticket: [3], at: later) == .none)
        #expect(book.exchange(token: [1], by: phone, requestID: "q1", at: later) == .expired)
    }

    @Test func aYesIsGoodForItsTimeWhateverTheClockIsSetTo() {
        var book = invited()
        _ = book.type(code: [2], ticket: [3], at: at(0))
        _ = exchange(&book, [3], at: 0)
        #expect(book.settle("q1", approved: true, at: at(115)) != nil)
        let later = Instant(wall: at(-3600).wall, uptime: at(125).uptime)
        #expect(book.exchange(token: [3], by: phone, requestID: "q2", at: later) == .expired)
    }
}
