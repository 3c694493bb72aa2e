import Foundation
import Rules
import Testing

/// Compares with shfmt: its syntax tree has the same simple commands as the splitter finds.
@Suite("The splitter against shfmt")
struct SyntaxOracleTests {
    @Test("same simple commands in the oracle's tree", .timeLimit(.minutes(30)))
    func sameCommands() throws {
        let shfmt = try Program("shfmt")
        let corpus = try Corpus.lines()
        var generator = LineGenerator(seed: 7, corpus: corpus)
        var lines = corpus + (0..<(5_000 * Corpus.scale)).map { _ in generator.line() }
        lines = Array(Set(lines)).sorted().filter { (try? ShellSplitter.split($0)) != nil }
        #expect(lines.count > 1_500)
        for start in stride(from: 0, to: lines.count, by: 500) {
            try compare(Array(lines[start..<min(start + 500, lines.count)]), shfmt)
        }
    }

    /// Parses many lines in one run of shfmt, with a marker between them. If the groups do not match the lines, parses
    /// each line separately.
    private func compare(_ lines: [String], _ shfmt: Program) throws {
        let script = lines.map { $0 + "\n: marker\n" }.joined()
        let answer = try shfmt.run(["--to-json"], input: script)
        if answer.status == 0, let groups = try? groups(answer.output), groups.count == lines.count {
            for (line, commands) in zip(lines, groups) { check(line, commands) }
            return
        }
        for line in lines {
            let answer = try shfmt.run(["--to-json"], input: line)
            guard answer.status == 0 else {
                Issue.record("shfmt does not parse \(line.debugDescription): \(answer.errors)")
                continue
            }
            do {
                check(line, try SyntaxTree.commands(json: answer.output).flatMap { $0 })
            } catch {
                Issue.record("\(error) in \(line.debugDescription)")
            }
        }
    }

    private func groups(_ json: String) throws -> [[[String]]] {
        try SyntaxTree.commands(json: json).split(separator: [[":", "marker"]], omittingEmptySubsequences: false)
            .dropLast().map { $0.flatMap { $0 } }
    }

    private func check(_ line: String, _ oracle: [[String]]) {
        let ours = (try? ShellSplitter.split(line))?.map { $0.prefix + $0.words.map(\.value) } ?? []
        let same = ours.count == oracle.count && zip(ours, oracle).allSatisfy { $0 == $1 }
        #expect(same, "\(line.debugDescription): \(ours) but shfmt says \(oracle)")
    }
}
