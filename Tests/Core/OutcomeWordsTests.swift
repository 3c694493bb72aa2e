import Core
import Testing

@Suite struct OutcomeWordsTests {
    @Test(arguments: [
        ("allow", "once", "device my phone", "allowed by my phone"),
        ("allow", "session", "local", "allowed for the session by somebody at the computer"),
        ("deny", "", "link ntfy", "denied by a link (ntfy)"),
        ("allow", "", "rule rule_1", "allowed by a session rule"),
        ("ask", "", "device phone", "to be answered in terminal by phone"),
        ("ask", "", "timeout", "to be answered in terminal, as nobody answered in time"),
        ("pass", "", "hook gone", "left to Claude, as Claude stopped waiting"),
        ("pass", "", "no approver", "left to Claude, as nobody was there to ask"),
        ("pass", "", "session limit", "left to Claude, as too many requests of its session were open"),
        ("pass", "", "lost", "left to Claude, as the connection to Claude was lost"),
        ("allow", "", "terminal", "allowed by somebody in the terminal"), ("deny", "", "", "denied by somebody"),
        ("later", "", "something new", "later by something new"),
    ])
    func sayHowARequestEnded(decision: String, scope: String, resolver: String, words: String) {
        #expect(OutcomeWords.text(decision, scope: scope, by: resolver) == words)
    }

    @Test(arguments: [
        ("denied by phone", "deny", "device phone", ""), ("too broad", "deny", "device phone", "too broad"),
        ("nobody answered within 60 s", "ask", "timeout", "within 60 s"),
        ("nobody answered in time", "ask", "timeout", ""),
        ("nobody answered within 60 s", "deny", "no approver", "nobody answered within 60 s"),
    ])
    func sayNothingTwice(reason: String, decision: String, resolver: String, words: String) {
        #expect(OutcomeWords.more(reason, than: decision, by: resolver) == words)
    }
}
