import Foundation

/// Generates command lines for the comparisons with shells: cases, mutations of cases, and random sequences of tokens
/// that are special to shells.
struct LineGenerator {
    private var state: UInt64
    private let corpus: [String]

    init(seed: UInt64, corpus: [String]) {
        state = seed
        self.corpus = corpus
    }

    /// SplitMix64, which gives the same lines on every machine.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// A line similar to lines of the corpus: mutated, joined, or with words of another line.
    mutating func mild() -> String {
        switch below(4) {
        case 0: return joined()
        case 1: return mutated(pick(corpus))
        default:
            var words = pick(corpus).split(separator: " ").map(String.init)
            let other = pick(corpus).split(separator: " ").map(String.init)
            for _ in 0...below(2) where !other.isEmpty { words.insert(pick(other), at: below(words.count + 1)) }
            return words.joined(separator: " ")
        }
    }

    mutating func line() -> String {
        switch below(10) {
        case 0...4: mutated(pick(corpus))
        case 5: joined()
        case 6...7: soup()
        default: crossed()
        }
    }

    private mutating func joined() -> String {
        let separators = [" && ", " | ", "; ", "\n", " || ", " |& ", "&&", "|", ";", " &", "\n\n", " ;\n"]
        return pick(corpus) + pick(separators) + pick(corpus) + (below(3) == 0 ? pick(separators) + pick(corpus) : "")
    }

    /// The start of one line with the end of another.
    private mutating func crossed() -> String {
        let (one, other) = (Array(pick(corpus)), Array(pick(corpus)))
        return String(one.prefix(below(one.count + 1))) + String(other.suffix(below(other.count + 1)))
    }

    private mutating func soup() -> String {
        (0..<(1 + below(9))).map { _ in pick(Self.tokens) + pick(["", " ", " ", " "]) }.joined()
    }

    private mutating func mutated(_ line: String) -> String {
        var characters = Array(line)
        for _ in 0...below(3) {
            let index = below(characters.count + 1)
            switch below(5) {
            case 0, 1: characters.insert(contentsOf: pick(Self.inserts), at: index)
            case 2: if index < characters.count { characters.remove(at: index) }
            case 3:
                if characters.count > 1, index + 1 < characters.count { characters.swapAt(index, index + 1) }
            default:
                let words = String(characters).split(separator: " ").map(String.init)
                if !words.isEmpty { characters.insert(contentsOf: " " + pick(words) + " ", at: index) }
            }
        }
        return String(characters)
    }

    private static let inserts =
        [
            "'", "\"", "\\", "$", "`", "(", ")", "{", "}", "[", "]", "<", ">", "|", "&", ";", "\n", " ", "#", "~", "^",
            "=", "*",
            "?", "!", "-", "@", ":", ",", "%", "+", "$?", "\"\"", "''", " # ", ">/dev/null", "2>&1", ">&2", "{x}",
            "@{u}", "$(",
            "${PIPESTATUS[0]}", "\\(", "\\)", "set -o pipefail; ", " -F - <<'EOF'\nx\nEOF",
            "${x}", "<(", "&&", "||", "|&", ";;", "\t", "\\\n", "./", "../", "\"$(cat <<'EOF'\nx\nEOF\n)\"",
        ].map(Array.init)

    private static let tokens = [
        "ls", "cat", "git", "log", "echo", "test", "[", "]", "cd", "src", "a.txt", "npm", "make", "-la", "-n", "5",
        "--",
        "'a b'", "\"a b\"", "\"$?\"", "$?", "$x", "'$x'", "a=b", "CI=1", "timeout 5", "=ls", "~", "~/x", "HEAD~1",
        "@{u}", "{a,b}",
        "*.txt", "*", "?", "[a-z]", "#", "# x\n", "!", "time", "if", "then", "fi", "{", "}", "function", "select",
        "let",
        "&&", "||", "|", "|&", ";", ";;", "&", "\n", "(", ")", "<", ">", ">>", "<<", "<<<", ">&", "&>", ">/dev/null",
        "2>/dev/null", "2>&1", ">&2", "1>&2", "</dev/null", "&>/dev/null", "{fd}>/dev/null", "> /dev/null", "\\",
        "\\\n",
        "`id`", "$(id)", "${x}", "$((1))", "$[1]", "$'a'", "$\"a\"", "<(id)", "=(id)", "+(a)", "@(a)", "!(a)", "?(a)",
        "*(a)", "a[1]=2", "x+=1", "''", "\"\"", "'", "\"", "a#b", "%1", "[[", "]]", "-", "repeat", "noglob", "..", ".",
        "\"$(cat <<'EOF'\nit's (x) `y`\nEOF\n)\"", "EOF", "<<'EOF'\n", "\"a\\\"b\"", "\"a\\nb\"", "\"`id`\"",
        "\"$(id)\"", "é", "a\u{301}", "${PIPESTATUS[0]}", "\"${PIPESTATUS[1]}\"", "set -o pipefail", "set", "-o",
        "pipefail",
        "find", "\\(", "\\)", "-name", "git commit -F - <<'EOF'\nx\nEOF", "git commit", "-F", "<<'EOF'", "\nEOF",
        "awk '{print $1}'", "sed 's/a/b/'", "jq '.a | keys'", "tr -d", "-r", "grep", "--prefix", "--filter",
    ]
}

/// The lines of all cases.
enum Corpus {
    static func lines() throws -> [String] {
        let cases = try BashCaseTests.files.flatMap { try RuleCase.load($0) }
        return Array(Set(cases.flatMap { [$0.approved, $0.next] })).filter { $0.utf8.count < 400 }.sorted()
    }

    /// The factor for the number of generated lines; larger with `CDEV_LONG_TESTS=1`.
    static var scale: Int { ProcessInfo.processInfo.environment["CDEV_LONG_TESTS"] == "1" ? 20 : 1 }
}
