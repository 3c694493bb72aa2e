import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// A session that was started in a directory, what was granted there, and what a rule from it may settle:
/// `Cases/protected-roots.json`.
struct ProtectedRootCase: Decodable, Sendable, CustomTestStringConvertible {
    /// Relative to the repository's, or to the home directory behind `~/`.
    let root: String
    let setup: [String]?
    let tool: String
    /// A file, or a line.
    let granted: String
    let held: [String]
    let settled: [String]?

    var testDescription: String { "\(root): \(tool) \(granted)" }
}

@Suite("A session that starts in a directory whose files no rule covers")
struct ProtectedRootTests {
    @Test("only exact rules hold there", arguments: try DeniedLines.decoded("protected-roots") as [ProtectedRootCase])
    func rules(item: ProtectedRootCase) throws {
        let own = item.root.hasPrefix("~/") ? "../" + item.root.dropFirst(2) : item.root
        let repository = try ScratchRepository(setup: item.setup ?? [own + "/"])
        defer { repository.remove() }
        let root = (repository.root + "/" + own).replacing("/repo/../", with: "/")
        let context = RuleContext(root: root, rootIsBroad: false, cwd: root, home: repository.home)
        func input(_ subject: String) -> JSON {
            item.tool == "Bash"
                ? ["command": .string(subject)] : FileCaseTests.input(tool: item.tool, path: root + "/" + subject)
        }
        let allow = RuleEngine.patterns(
            tool: item.tool, input: input(item.granted), context: context, paths: DiskPaths())
        for subject in item.held + (item.settled ?? []) {
            let settled = RuleEngine.settles(
                tool: item.tool, input: input(subject), allow: allow, context: context, paths: DiskPaths())
            #expect((settled == nil) == item.held.contains(subject), "\(subject): \(allow.map(\.text))")
        }
    }
}
