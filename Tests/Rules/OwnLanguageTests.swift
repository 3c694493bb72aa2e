import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// Runs the real awk, sed and jq: programs that the grammars accept write no file and print nothing of the environment.
@Suite("Programs in the language of a filter, against the filter itself")
struct OwnLanguageTests {
    static let programs: [(command: String, seeds: [String], inserts: [String])] = [
        (
            "awk",
            [
                "{print $1}", "{print $1, \"a b\", $NF}", "NR>1 {print $2}", "/a/ {print}", "{s+=$1} END {print s}",
                "NR==1",
            ],
            [
                " > \"x\"", " | \"touch x\"", "system(\"touch x\")", "getline", "\"", "\\", "{", "}", ";", ">", "|",
                "x",
                "ENVIRON[\"SECRET\"]", "BEGIN", "END", "(", ")", "$", "/", ",", " ", "print", "\"x\"", "1", "&&", "\n",
                "printf", "close(", "NF", "=", "+=", "-",
            ]
        ),
        (
            "sed",
            ["s/a/b/", "s/a/b/g", "s|a|b|2", "s/[a-z]*/x/I", "s/\\(a\\)/\\1/", "s,a,b,", "s#a#b#"],
            [
                "w x", "e", "e touch x", "/", "|", ",", "#", "\\", ";", "\n", "[", "]", "{", "}", "g", "w", "x", "1",
                "r",
                "\\x2f", "\\/", "W x", "p", "s/a/b/", "&", "\\n", "$!", " ", "i", "a\\", "touch x", "\\c", "\\o57",
            ]
        ),
        (
            "jq",
            [".", ".a", ".a | keys", "{a, b: .c}", ".a, .b", "\"x \\(.a)\"", "[.[] | select(.a == 1)]", ".a // \"z\""],
            [
                "env", "$ENV", "input", "inputs", "$__prog_args", "env.SECRET", "\"", "\\", "(", ")", "{", "}", "|",
                ",",
                ".", ":", "[", "]", "\\(", "import \"x\" as y;", "include \"x\";", "@json", " ", "#", "debug", "a", "1",
                "..", "?", "//", "as $x", "def f: env;", ";", "stderr", "input_filename", "\\(env)", "{env: env}",
            ]
        ),
    ]

    @Test("nothing written, nothing of the environment told", .timeLimit(.minutes(20)), arguments: programs.indices)
    func harmless(index: Int) throws {
        let (command, seeds, inserts) = Self.programs[index]
        let repository = try #require(ScratchRepository.shared)
        let path = try Program(command).path
        var generator = LineGenerator(seed: UInt64(index + 3), corpus: seeds)
        var accepted: Set<String> = []
        for _ in 0..<(20_000 * Corpus.scale) {
            var text = Array(generator.pick(seeds))
            for _ in 0...generator.below(3) {
                text.insert(contentsOf: generator.pick(inserts), at: generator.below(text.count + 1))
            }
            let program = String(text)
            if !program.contains("'"), repository.settles("ls | \(command) '\(program)'", approved: "ls") != nil {
                accepted.insert(program)
            }
        }
        #expect(accepted.count > 50)
        let directory = FileManager.default.temporaryDirectory.appending(path: "filters-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // The input is a file next to the directory, not a pipe: a program that does not read it must not end the test.
        let input = directory.appendingPathExtension("in")
        try Data(#"{"a": 1, "b": [2], "c": "x"}"#.utf8).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        for program in accepted.sorted().prefix(200 * Corpus.scale) + seeds {
            let output = try Self.run(path, [program], in: directory, input: input)
            #expect(!output.contains("hidden-value"), "\(command) told of the environment: \(program)")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names.isEmpty, "\(command) wrote \(names): \(program)")
        }
    }

    /// The output of a program that gets one line of input, with a PATH of the system's programs only.
    private static func run(_ path: String, _ arguments: [String], in directory: URL, input: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": directory.path, "SECRET": "hidden-value"]
        let output = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
