import TerminalView
import Testing

@Suite struct LineDiffTests {
    @Test(arguments: [
        ("a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]), ("a", "a", [" a"]), ("", "a\n", ["+a", "+"]),
        ("a\nb", "", ["-a", "-b"]), ("a\nb\nc\nd", "b\nd\ne", ["-a", " b", "-c", " d", "+e"]), ("", "", []),
        // The same to a reader, other bytes in the file.
        ("e\u{301}", "\u{E9}", ["-e\u{301}", "+\u{E9}"]), ("a\r\nb", "a\nb", ["-a\r", "+a", " b"]),
    ])
    func tells(_ old: String, _ new: String, _ expected: [String]) {
        let lines = LineDiff.lines(from: old, to: new).map { Array(($0.kind.rawValue + $0.text).unicodeScalars) }
        #expect(lines == expected.map { Array($0.unicodeScalars) })
    }

    @Test func losesNoLine() {
        var random = SystemRandomNumberGenerator()
        for size in [5, 60, 2000] {
            let old = (0..<size).map { _ in String(UInt8.random(in: 0..<5, using: &random)) }
            let new = (0..<size).map { _ in String(UInt8.random(in: 0..<5, using: &random)) }
            let lines = LineDiff.lines(from: old.joined(separator: "\n"), to: new.joined(separator: "\n"))
            #expect(lines.filter { $0.kind != .added }.map(\.text) == old)
            #expect(lines.filter { $0.kind != .removed }.map(\.text) == new)
        }
    }
}
