import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// A tree, and a file that a rule for writing beside it covers or does not: `Cases/started-files.json`.
struct StartedFile: Decodable, Sendable, CustomTestStringConvertible {
    let setup: [String]
    let next: String
    let settled: Bool?
    /// The session's root, relative to the repository's.
    let root: String?
    /// An entry of which there are `count`, with numbers in place of `#`.
    let each: String?
    let count: Int?

    var entries: [String] {
        setup + (0..<(count ?? 0)).map { number in (each ?? "").replacing("#", with: String(number)) }
    }

    var testDescription: String { "\(setup + [each].compactMap(\.self)) → \(next)" }

    static func all() throws -> [StartedFile] { try DeniedLines.decoded("started-files") }
}

@Suite("Files that git's settings start, or that the agent's instructions import")
struct StartedFileTests {
    @Test("a rule for writing beside one does not cover it", arguments: try StartedFile.all())
    func isAskedAbout(_ item: StartedFile) throws {
        let repository = try ScratchRepository(setup: item.entries)
        defer { repository.remove() }
        let context = repository.context(root: item.root ?? "")
        for tool in ["Write", "Edit"] {
            func input(_ path: String) -> JSON { FileCaseTests.input(tool: tool, path: repository.root + "/" + path) }
            let beside = (item.next.components(separatedBy: "/").dropLast() + ["beside.swift"]).joined(separator: "/")
            let allow = RuleEngine.patterns(tool: tool, input: input(beside), context: context, paths: DiskPaths())
            let settled = RuleEngine.settles(
                tool: tool, input: input(item.next), allow: Set(allow), context: context, paths: DiskPaths())
            #expect((settled != nil) == (item.settled == true))
            let offered = RuleEngine.patterns(
                tool: tool, input: input(item.next), context: context, paths: DiskPaths())
            #expect(offered.isEmpty == (settled == nil))
        }
    }
}
