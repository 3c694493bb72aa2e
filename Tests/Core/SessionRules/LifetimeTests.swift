import Core
import OrderedJSON
import Rules
import TestSupport
import Testing

@Suite("What a call leaves behind")
struct LifetimeTests {
    /// Nothing leads anywhere else.
    private final class PlainPaths: PathPort {
        func entry(at path: String) -> PathEntry { .plain }
        func kind(of absolutePath: String) -> PathKind { .directory }
        func names(in directory: String) -> [String]? { [] }
        func text(of absolutePath: String, limit: Int) -> String? { nil }
        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? { [] }
    }

    @Test("a line that was looked at is gone", arguments: ["npm test", "cd src && ls a", "cat a | head -5; echo $(x)"])
    func nothing(_ line: String) {
        weak var left: PlainPaths?
        do {
            let paths = PlainPaths()
            left = paths
            let evaluator = EngineEvaluator(paths: paths, commands: .shipped, home: "/home/u")
            let call = ToolCall(name: "Bash", input: ["command": .string(line)], useID: nil)
            let place = RulePlace(root: "/work/p", cwd: "/work/p/sub")
            _ = evaluator.offers(for: call, at: place)
            _ = evaluator.onlyReads(call, at: place)
            _ = evaluator.allowing(call, at: place, among: GrantedRules([]))
        }
        #expect(left == nil)
    }
}
