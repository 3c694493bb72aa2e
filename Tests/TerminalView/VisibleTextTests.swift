import TerminalView
import Testing

@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("plain text", "plain text"), ("a\u{1B}[31mb", #"a\u{001B}[31mb"#), ("\u{9B}31m", #"\u{009B}31m"#),
        ("\u{1B}]52;c;x\u{7}", #"\u{001B}]52;c;x\u{0007}"#), ("a\u{202E}b\u{2066}", #"a\u{202E}b\u{2066}"#),
        ("a\u{200B}b\u{FEFF}", #"a\u{200B}b\u{FEFF}"#), ("a\u{A0}b\u{3000}c", #"a\u{00A0}b\u{3000}c"#),
        ("a\rb", #"a\u{000D}b"#), ("\u{7F}\u{0}", #"\u{007F}\u{0000}"#), ("\u{E0041}", #"\u{E0041}"#),
        ("\u{2800}\u{3164}\u{115F}", #"\u{2800}\u{3164}\u{115F}"#), ("\u{E000}\u{F8FF}", #"\u{E000}\u{F8FF}"#),
        ("\u{378}", #"\u{0378}"#), ("日本 ❤\u{FE0F} é", "日本 ❤\u{FE0F} é"), ("a\tb", "a   b"), ("a\nb", "a⏎b"),
        ("👩\u{200D}💻", #"👩\u{200D}💻"#), ("\u{301}x", #"\u{0301}x"#),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}", #"e\#u{301}\#u{301}\#u{301}\#u{301}\u{0301}"#),
    ])
    func hidesNothing(_ text: String, _ shown: String) {
        #expect(Array(VisibleText(charset: .utf8).plain(text).unicodeScalars) == Array(shown.unicodeScalars))
    }

    /// In another encoding the bytes of UTF-8 may be control characters.
    @Test(arguments: [("ab", "ab"), ("é", #"\u{00E9}"#), ("\u{6DB}", #"\u{06DB}"#), ("a\nb", #"a\nb"#)])
    func sendsASCIIAlone(_ text: String, _ shown: String) {
        #expect(VisibleText(charset: .ascii).plain(text) == shown)
    }

    @Test func leavesNoControlOfAnyScalar() {
        let visible = VisibleText(charset: .utf8)
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for left in visible.plain(String(Character(scalar))).unicodeScalars {
                switch left.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                    Issue.record("U+\(String(value, radix: 16)) lets U+\(String(left.value, radix: 16)) through")
                default: break
                }
            }
        }
    }

    @Test(
        arguments: [
            (["LANG": "C.UTF-8"], Charset.utf8), (["LANG": "de_DE.utf8"], .utf8), (["LANG": "C"], .ascii),
            ([:], .ascii),
            (["LC_ALL": "C", "LANG": "C.UTF-8"], .ascii),
            (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"], .utf8),
        ] as [([String: String], Charset)])
    func goesByTheLocale(_ environment: [String: String], _ charset: Charset) {
        #expect(Charset(environment: environment) == charset)
    }
}
