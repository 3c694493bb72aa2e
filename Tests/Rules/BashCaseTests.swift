import Foundation
import Host
import OrderedJSON
import Rules
import Testing

@Suite("Bash lines, as data")
struct BashCaseTests {
    static let files = [
        "session-allow-attack", "session-allow-bash", "bash-arguments", "bash-attacked", "bash-commands",
        "bash-grammars", "bash-lesser", "bash-lines", "bash-manifests", "bash-packages", "bash-parsers",
        "bash-programs",
        "bash-where", "bash-wider",
    ]

    @Test("a case holds or passes as it says", arguments: try files.flatMap(RuleCase.load))
    func cases(item: RuleCase) throws {
        let (found, expected) = try item.outcome(in: #require(ScratchRepository.shared))
        #expect(expected == "pass_or_hold" || found == expected)
    }

    @Test("each file has cases", arguments: files)
    func isThere(file: String) throws {
        #expect(try !RuleCase.load(file).isEmpty)
    }

    @Test("no case is written twice")
    func distinct() throws {
        let all = try Self.files.flatMap { try RuleCase.load($0) }
        #expect(Set(all.map { [$0.approved, $0.next, $0.cwd, $0.nextCwd] + $0.setup }).count == all.count)
    }

    @Test("a request always matches the rule made from it")
    func ownRule() throws {
        let repository = try #require(ScratchRepository.shared)
        for item in try Self.files.flatMap({ try RuleCase.load($0) }) {
            for line in [item.approved, item.next] where !repository.patterns(line, cwd: item.cwd).isEmpty {
                #expect(repository.settles(line, approved: line, cwd: item.cwd) != nil, "\(line)")
            }
        }
    }
}
