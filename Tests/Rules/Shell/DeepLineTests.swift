import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// Lines that nest without end, read on a thread with as small a stack as the daemon's: they end no process, every deny
/// rule covers them, and nothing allows them.
@Suite("Deeply nested lines")
struct DeepLineTests {
    /// A small stack even among those of threads: macOS gives a thread 512 KB.
    private static let stack = 512 << 10
    private static let openers = [
        "\"${", "${", "$(", "`", "((", "$((", "{", "[[ ", "<(", ">(", "=(", "<<A\n", "<<'A'\n", "'", "\"", "\\", "$'",
        "$\"", "(", "[", "\"$(", "\"`", "\"\\`", "${x:-", "\"${x:-", "\"${x%'", "${x/\"", "${a[", "$[", "case x in ",
        "if ",
        "x=(", "for x in ", "while ", "{a,", "pus{h,", "f() { ", "eval ", "\n", ";", " ", "&&", "|", "}", ")", "))",
        "#",
        "\\\n", "a", "=", "~", "*", "?", "é",
    ]

    /// Repeats a piece up to this many bytes.
    private static func filled(_ piece: String, behind start: String = "", bytes: Int) -> String {
        start + String(repeating: piece, count: bytes / piece.utf8.count)
    }

    /// The sizes: what is searched for denied commands, and what the splitter still takes.
    private static let sizes = [200_000, 16_000]

    /// Whether the rule denies the line, on a thread of its own. The other readers of a line run there, too.
    private func isDenied(_ line: String) throws -> Bool {
        let repository = try #require(ScratchRepository.shared)
        let context = repository.context()
        let rules = RuleEngine.denyPatterns(
            tool: "Bash", input: ["command": "git push"], context: context, paths: DiskPaths())
        nonisolated(unsafe) var (isDenied, isAllowed) = (false, true)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let input: JSON = ["command": .string(line)]
            _ = RuleEngine.offers(tool: "Bash", input: input, context: context, paths: DiskPaths())
            let allow = ["Bash(git status:*)", "Bash(echo:*)", "Bash(cat:*)", "Bash(ls:*)"]
            isAllowed =
                RuleEngine.settles(
                    tool: "Bash", input: input, allow: Set(allow.compactMap { Pattern(stored: $0) }), context: context,
                    paths: DiskPaths()) != nil
                || RuleEngine.onlyReads(input: input, context: context, paths: DiskPaths())
            isDenied =
                RuleEngine.denies(tool: "Bash", input: input, deny: rules, context: context, paths: DiskPaths()) != nil
            _ = CommandMention.firstWord(of: line, naming: ["rm", "git"])
            _ = CommandMention.firstWord(of: line)
            _ = RuleEngine.explain(line: line, context: context, paths: DiskPaths()).description
            done.signal()
        }
        thread.stackSize = Self.stack
        thread.start()
        done.wait()
        #expect(!isAllowed, "\(line.prefix(60).debugDescription)")
        return isDenied
    }

    @Test(
        "one opener in another, again and again",
        arguments: [
            ("", "\"${"), ("", "\"${a{"), ("", "\"${x:-\""), ("", "\"${x%'"), ("", "\"${x%\\\""), ("", "x=${y:-\""),
            ("", "${x/\"${"), ("cat <<A\n", "\"${"), ("cat <<A\n", "${"), ("cat <<A\n", "${x:-\""), ("", "\"${x:-`"),
            ("", "\"${x:-$("), ("cat <<A\n", "$(cat <<A\n"), ("", "$("), ("", "\"$("), ("", "<("), ("", "$(`"),
            ("", "\"${x:-${"),
        ])
    func repeated(start: String, piece: String) throws {
        for bytes in Self.sizes {
            let line = Self.filled(piece, behind: start, bytes: bytes)
            // A here document without an end is none: what looks like its text is searched as commands.
            for line in [line, line + (start.isEmpty ? "" : "\nA\n")] {
                let isDenied = try isDenied(line)
                #expect(isDenied || line.hasPrefix("cat") && !line.hasSuffix("\nA\n"), "\(start + piece)")
                #expect(try self.isDenied("git push\nexit\n" + line), "\(start + piece)")
            }
        }
    }

    @Test("all openers in any order")
    func generated() throws {
        var generator = LineGenerator(seed: 11, corpus: ["ls"])
        for _ in 0..<(12 * Corpus.scale) {
            for bytes in Self.sizes {
                // Few kinds at a time nest more often than all of them, which close each other.
                let kinds = (0...generator.below(5)).map { _ in generator.pick(Self.openers) }
                var line = "git push\nexit\n"
                while line.utf8.count < bytes { line += generator.pick(kinds) }
                #expect(try isDenied(line), "\(kinds)")
            }
        }
    }

    /// An agent's lines nest a few levels deep.
    @Test("up to sixteen levels are read, whatever they are")
    func levels() throws {
        func nested(_ open: String, _ close: String, _ levels: Int, around command: String) -> String {
            "echo " + String(repeating: open, count: levels) + command + String(repeating: close, count: levels)
        }
        let kinds = [("\"$(", ")\""), ("$(", ")"), ("<(", ")")]
        for (open, close) in kinds {
            #expect(try isDenied(nested(open, close, 16, around: "git push")))
            #expect(try !isDenied(nested(open, close, 16, around: "git pull")))
            #expect(try isDenied(nested(open, close, 17, around: "git pull")))
        }
        for (levels, isUnread) in [(15, false), (16, true)] {
            let braces = nested("${x:-", "}", levels, around: "$(git pull)")
            #expect(try isDenied("echo \"\(braces)\"") == isUnread)
        }
        let mixed = "echo \"${a:-\"${b:-\"$(echo `echo \"${c:-$(git %)}\"`)\"}\"}\""
        #expect(try isDenied(mixed.replacing("%", with: "push")))
        #expect(try !isDenied(mixed.replacing("%", with: "pull")))
    }

    /// In bash `x[1<<2]=3` is no here document. The quote in the text of the last one opens nothing.
    @Test("a line with many `<<` that are no here documents is not half read")
    func shifts() throws {
        let shifts = String(repeating: "x[1<<2]=3\n", count: 20)
        #expect(try isDenied(shifts + "cat <<E\nit's\nE\ngit push"))
    }
}
