import Core
import OrderedJSON
import Synchronization
import Testing

@Suite("What a call asks of the disk")
struct DiskQuestionTests {
    /// Nothing leads anywhere else; who asks is noted.
    private final class NotedPaths: PathPort {
        let asked = Mutex<[String]>([])

        func resolve(_ path: String, from directory: String) -> ResolvedPath {
            asked.withLock { $0.append(path) }
            return ResolvedPath(path: path.hasPrefix("/") ? path : directory + "/" + path, isCertain: true)
        }

        func kind(of absolutePath: String) -> PathKind { .directory }
        func repository(from directory: String) -> String? { nil }
        func matches(ofSuffix suffix: String, in directory: String) -> [String]? { [] }
        func text(of absolutePath: String, limit: Int) -> String? { nil }
        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? { [] }
    }

    private func asked(_ tool: String, _ input: JSON, among patterns: [String]) -> [String] {
        let paths = NotedPaths()
        let rules = GrantedRules(
            patterns.enumerated().map { number, pattern in
                SessionRule(
                    id: "rule\(number)", sessionID: "s", effect: .allow, pattern: pattern,
                    createdAt: Timestamp(milliseconds: 0), grantedBy: "local", requestID: "r")
            })
        _ = EngineJudge(paths: paths, commands: .shipped, home: "/home/u")
            .allowing(
                ToolCall(name: tool, input: input, useID: nil), at: RulePlace(root: "/p", cwd: "/p"), among: rules)
        return paths.asked.withLock { $0 }
    }

    @Test("where no rule could match, nothing")
    func nothing() {
        #expect(asked("Bash", ["command": "npm test"], among: []).isEmpty)
        #expect(asked("Bash", ["command": "npm test $(x)"], among: ["Bash(npm test:*)"]).isEmpty)
        #expect(asked("WebSearch", ["query": "x"], among: ["WebSearch"]).isEmpty)
    }

    @Test("for a key, the root and the home once each")
    func key() {
        let asked = asked("Bash", ["command": "npm test && npm test"], among: ["Bash(npm test:*)"])
        #expect(asked.sorted() == ["/home/u", "/p"])
    }

    @Test("for a file, the root and the home once each beside it")
    func file() {
        let asked = asked("Edit", ["file_path": "/p/a", "old_string": "a", "new_string": "b"], among: ["Edit(/p/**)"])
        #expect(asked.sorted() == ["/home/u", "/p", "/p/a"])
    }
}
