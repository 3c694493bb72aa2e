import TerminalView
import Testing

@Suite struct KeyDecoderTests {
    static let cases: [(String, [Key])] = [
        ("a", [.character("a")]), ("jk", [.character("j"), .character("k")]), ("é日🙂", "é日🙂".map { .character($0) }),
        ("\r", [.enter]), ("\n", [.control("j")]), ("\t", [.tab]), ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{3}\u{1A}", [.control("c"), .control("z")]), ("\u{0}\u{1C}", [.unknown, .unknown]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}OA\u{1B}OB", [.up, .down]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}OH", [.home, .end, .home, .end, .home]),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{1B}[Z", [.pageUp, .pageDown, .delete, .backTab]),
        ("\u{1B}a", [.alt("a")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        // Unknown sequences are read as a whole: no letter of them becomes a key.
        ("\u{1B}[a\u{1B}Oa\u{1B}[1;5A\u{1B}[99~\u{1B}[[A\u{1B}[?1;2c", Array(repeating: .unknown, count: 6)),
        ("\u{1B}[200~a\nd\u{1B}[A\u{1B}[201~s", [.paste("a\nd\u{1B}[A"), .character("s")]),
        ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
    ]

    @Test(arguments: cases) func understands(_ text: String, _ keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.receive(Array(text.utf8)) == keys)
        #expect(!decoder.isPending)
    }

    @Test(arguments: cases) func however_itIsCut(_ text: String, _ keys: [Key]) {
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var decoder = KeyDecoder()
            let found = decoder.receive(bytes[..<cut]) + decoder.receive(bytes[cut...])
            #expect(found == keys, "cut at \(cut)")
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.receive([$0]) } == keys)
    }

    @Test(arguments: [("\u{1B}", [Key.escape]), ("\u{1B}[", [.unknown]), ("\u{1B}[1;", [.unknown]), ("", [])])
    func decidesWhenNothingFollows(_ text: String, _ keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.receive(Array(text.utf8)) == [])
        #expect(decoder.flush() == keys)
        #expect(decoder.receive([0x61]) == [.character("a")])
    }

    @Test func aBrokenByteIsNoKey() {
        var decoder = KeyDecoder()
        #expect(decoder.receive([0xFF, 0x80, 0x61]) == [.unknown, .unknown, .character("a")])
    }

    @Test func aSequenceWithoutEndIsDropped() {
        var decoder = KeyDecoder()
        #expect(decoder.receive(Array("\u{1B}[".utf8) + [UInt8](repeating: 0x31, count: 100)) == [.unknown])
    }

    @Test func aPasteHasACeiling() {
        var decoder = KeyDecoder()
        _ = decoder.receive(Array("\u{1B}[200~".utf8))
        for _ in 0..<40 { #expect(decoder.receive([UInt8](repeating: 0x61, count: 65_536)) == []) }
        guard case .paste(let text)? = decoder.receive(Array("\u{1B}[201~".utf8)).first else {
            Issue.record("no paste")
            return
        }
        #expect((1 << 20)...(1 << 20) + 10 ~= text.utf8.count)
    }
}
