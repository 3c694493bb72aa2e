import Glibc

/// Transcripts in the form of Claude Code's, with prompts, texts, calls and their results, about 1.5 KB a line. Their
/// words are as unevenly frequent as those of a language.
final class TranscriptFiles {
    /// The directory of one project's transcripts.
    let directory: String
    private let words: [UInt8]
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var lines = 0

    /// - Parameter home: what the daemon takes for Claude's configuration directory.
    init(home: String) throws {
        for path in ["/projects", "/projects/-tmp"] where mkdir(home + path, 0o700) != 0 && errno != EEXIST {
            throw BenchError.system("mkdir \(home)\(path)")
        }
        directory = home + "/projects/-tmp"
        words = Self.text(bytes: 4 << 20)
    }

    /// A word that is in many messages, and one that is in few.
    static let common = word(40)
    static let rare = word(rareRank)
    private static let rareRank = 39_000

    static func session(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    func path(_ session: String) -> String { "\(directory)/\(session).jsonl" }

    /// Writes the transcript of a session with so many bytes.
    func write(session: String, bytes: Int) throws {
        let file = open(path(session), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchError.system("writing \(path(session))") }
        defer { close(file) }
        var left = bytes
        while left > 0 {
            var chunk: [UInt8] = []
            while chunk.count < min(left, 4 << 20) { chunk += line(of: session) }
            guard Glibc.write(file, chunk, chunk.count) == chunk.count else { throw BenchError.system("writing") }
            left -= chunk.count
        }
    }

    /// The next line of a session: by turns a prompt, a text, a call and its result.
    func line(of session: String) -> [UInt8] {
        lines += 1
        let (type, content): (String, String) =
            switch lines % 4 {
            case 0: ("user", #""content":"\#(some(200))""#)
            case 1: ("assistant", #""content":[{"type":"text","text":"\#(some(1000))"}]"#)
            case 2:
                (
                    "assistant",
                    #""content":[{"type":"tool_use","id":"toolu_\#(lines)","name":"Bash","input":{"command":"\#(some(100))"}}]"#
                )
            default:
                (
                    "user",
                    #""content":[{"type":"tool_result","tool_use_id":"toolu_\#(lines - 1)","content":"\#(some(3000))"}]"#
                )
            }
        return Array(
            #"""
            {"parentUuid":"\#(Self.session(lines - 1))","isSidechain":false,"userType":"external","cwd":"/tmp","sessionId":"\#(session)","version":"2.1.330","gitBranch":"main","type":"\#(type)","message":{"role":"\#(type)",\#(content)},"uuid":"\#(Self.session(lines))","timestamp":"2026-11-20T10:30:00.000Z"}

            """#.utf8)
    }

    private func some(_ count: Int) -> String {
        let start = Int(next() % UInt64(words.count - count))
        return String(decoding: words[start..<start + count], as: UTF8.self)
    }

    private func next() -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return random >> 33
    }

    /// Words of rank 1 to 40,000, each the rarer the higher its rank.
    private static func text(bytes: Int) -> [UInt8] {
        var text: [UInt8] = []
        var random: UInt64 = 1
        while text.count < bytes {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let share = Double(random >> 11) / Double(1 << 53)
            text += Array(word(Int(pow(40_000, share))).utf8) + [0x20]
        }
        return text
    }

    /// A word of its own for each rank: syllables of a number in base 20.
    private static func word(_ rank: Int) -> String {
        let consonants = Array("bcdfghjklmnpqrstvwxz")
        var number = rank
        var word = ""
        repeat {
            word += "\(consonants[number % 20])\(["a", "e", "i", "o", "u"][number / 20 % 5])"
            number /= 100
        } while number > 0
        return word
    }
}
