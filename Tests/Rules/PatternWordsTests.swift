import Rules
import Testing

@Suite struct PatternWordsTests {
    @Test(arguments: [
        ("Bash(npm test:*)", "any `npm test …` in proj"),
        ("Bash(make check:*) only in /h/proj/sub", "any `make check …` in proj/sub"),
        ("Bash(npm test && x) in /h/proj", "exactly `npm test && x` in proj"),
        ("Bash(a\nb) in /elsewhere", "exactly `a⏎b` in /elsewhere"),
        ("Edit(/h/proj/src/**)", "any `Edit` below proj/src"), ("Read(/h/proj/**)", "any `Read` below proj"),
        ("Read(/**)", "any `Read` below /"), ("Write(/h/project2/a)", "any `Write` of /h/project2/a"),
        ("Write(/h/proj/a\u{202E}b)", "any `Write` of proj/a\u{FFFD}b"),
        ("WebFetch(domain:example.com)", "any `WebFetch` from example.com"),
        ("mcp__lab__echo", "any call of `mcp__lab__echo`"),
    ])
    func saysWhatItCovers(stored: String, words: String) throws {
        #expect(try #require(Pattern(stored: stored)).words(root: "/h/proj") == words)
    }

    @Test func aLongLineIsCut() throws {
        let line = String(repeating: "x", count: 5000)
        let words = try #require(Pattern(stored: "Bash(\(line)) in /h/proj")).words(root: "/h/proj")
        #expect(words == "exactly `\(line.prefix(79))…` in proj")
    }
}
