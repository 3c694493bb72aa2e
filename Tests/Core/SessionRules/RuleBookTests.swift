import Core
import Testing

@Suite("The book of session rules")
struct RuleBookTests {
    private func rule(
        _ id: Int, _ effect: SessionRule.Effect = .allow, session: String = "s", at seconds: Int64 = 0
    ) -> SessionRule {
        SessionRule(
            id: "rule_\(id)", sessionID: session, effect: effect, pattern: "Bash(make t\(id):*)",
            createdAt: Timestamp(milliseconds: seconds * 1000), grantedBy: "local", requestID: "request_\(id)")
    }

    @Test("at 200 the allow rule longest unmatched goes, a deny rule never")
    func limit() {
        var book = RuleBook()
        _ = book.take(rule(0, .deny))
        for id in 1..<200 { #expect(book.take(rule(id, at: Int64(id))).isEmpty) }
        _ = book.touch("rule_1", at: Instant(milliseconds: 900_000))
        #expect(book.take(rule(200, at: 800)).map(\.id) == ["rule_2"])
        #expect(book.rules(session: "s", .deny).all.map(\.id) == ["rule_0"])
        #expect(book.list(session: "s").count == RuleBook.limit)
        #expect(book.take(rule(201, session: "other")).isEmpty)
    }

    @Test("where deny rules fill the book nothing more is taken in")
    func fullOfDenies() {
        var book = RuleBook()
        for id in 0..<199 { _ = book.take(rule(id, .deny)) }
        #expect(book.take(rule(500)).isEmpty)
        #expect(book.hasRoom(for: 1, session: "s") && !book.hasRoom(for: 2, session: "s"))
        #expect(book.take(rule(199, .deny)).map(\.id) == ["rule_500"], "an allow makes room")
        #expect(!book.hasRoom(for: 1, session: "s") && book.hasRoom(for: 200, session: "other"))
        #expect(book.take(rule(501)).map(\.id) == ["rule_501"])
        #expect(book.take(rule(502, .deny)).map(\.id) == ["rule_502"])
        #expect(book.list(session: "s").count == RuleBook.limit && book.count == RuleBook.limit)
        #expect(book.remove("rule_501") == nil)
        #expect(book.take(rule(199, .deny)).isEmpty, "the same rule once more")
    }

    @Test("nothing is kept of a session without rules")
    func emptySessions() throws {
        func sessions(of book: RuleBook) throws -> Int {
            Mirror(reflecting: try #require(Mirror(reflecting: book).descendant("sessions"))).children.count
        }
        var book = RuleBook()
        _ = book.take(rule(1))
        _ = book.take(rule(2, session: "other"))
        _ = book.remove("rule_1")
        #expect(try sessions(of: book) == 1)
        _ = book.expire(at: Uptime(milliseconds: 86_400_000))
        #expect(try sessions(of: book) == 0)
    }

    @Test("a rule dies 24 h after its last match")
    func expiry() {
        var book = RuleBook()
        _ = book.take(rule(1))
        _ = book.take(rule(2))
        _ = book.touch("rule_2", at: Instant(milliseconds: 3_600_000))
        #expect(book.expire(at: Uptime(milliseconds: 86_399_999)).isEmpty)
        #expect(book.expire(at: Uptime(milliseconds: 86_400_000)).map(\.id) == ["rule_1"])
        #expect(book.expire(at: Uptime(milliseconds: 90_000_000)).map(\.id) == ["rule_2"])
        #expect(book.count == 0)
    }

    @Test("the last match is told exactly, although not every match is written")
    func lastMatch() {
        var book = RuleBook()
        _ = book.take(rule(1))
        #expect(book.touch("rule_1", at: Instant(milliseconds: 59_000)) == nil, "not written")
        #expect(book.list(session: "s").map(\.lastMatch.milliseconds) == [59_000])
        #expect(book.touch("rule_1", at: Instant(milliseconds: 61_000))?.lastMatch.milliseconds == 61_000)
        #expect(book.list(session: nil).map(\.lastMatch.milliseconds) == [61_000])
    }

    @Test("rules belong to one session, and go with it or one by one")
    func removal() {
        var book = RuleBook()
        for id in 1...3 { _ = book.take(rule(id, session: id == 3 ? "other" : "s")) }
        #expect(book.rules(session: "s", .allow).all.count == 2)
        #expect(book.remove("rule_1")?.id == "rule_1")
        #expect(book.remove("rule_1") == nil)
        #expect(book.removeAll(session: "s").map(\.id) == ["rule_2"])
        #expect(book.list(session: nil).map(\.id) == ["rule_3"])
    }

    @Test("many at once are the same as one after the other")
    func many() {
        let rules = (0..<900).map { rule($0 % 450, $0 % 7 == 0 ? .deny : .allow, session: "s\($0 % 3)", at: Int64($0)) }
        var (one, all) = (RuleBook(), RuleBook())
        let now = Instant(milliseconds: 900_000)
        for rule in rules { _ = one.add(rule, at: now) }
        _ = all.add(rules.map { ($0, nil) }, at: now)
        #expect(all.list(session: nil) == one.list(session: nil) && all.count == one.count && all.count > 300)
        let gone = all.remove { $0.effect == .allow }
        #expect(gone.count + all.count == one.count && all.list(session: nil).allSatisfy { $0.effect == .deny })
        for session in ["s0", "s1", "s2"] {
            #expect(all.rules(session: session, .deny).all == one.rules(session: session, .deny).all)
        }
    }
}

extension RuleBook {
    /// In force since it was made.
    fileprivate mutating func take(_ rule: SessionRule) -> [SessionRule] {
        add(rule, at: Instant(milliseconds: rule.createdAt.milliseconds))
    }
}
