import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// One case: after `approved` was approved for the session, is `next` settled by the rules?
struct RuleCase: Sendable, CustomTestStringConvertible {
    let file: String
    let approved: String
    let next: String
    let expect: String
    /// The directories of the two lines, relative to the root.
    let cwd: String
    let nextCwd: String
    /// The session's root, relative to the top of the tree.
    let root: String
    /// Further entries of the tree, and the outcome expected with them.
    let setup: [String]
    let expectWithSetup: String

    var testDescription: String { "\(file): \(approved) → \(next)" + (setup.isEmpty ? "" : " with \(setup)") }

    static func load(_ name: String) throws -> [RuleCase] {
        try JSON(parsing: text(of: name)).arrayValue.map { $0.map { RuleCase(file: name, $0) } } ?? []
    }

    static func text(of name: String) throws -> String {
        guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Cases") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try String(contentsOf: url, encoding: .utf8)
    }

    private init(file: String, _ json: JSON) {
        self.file = file
        approved = json["approved"]?.stringValue ?? ""
        next = json["next"]?.stringValue ?? ""
        expect = json["expect"]?.stringValue ?? ""
        cwd = json["cwd"]?.stringValue ?? ""
        nextCwd = json["next_cwd"]?.stringValue ?? cwd
        root = json["root"]?.stringValue ?? ""
        setup = json["setup"]?.arrayValue?.compactMap(\.stringValue) ?? []
        expectWithSetup = json["expect_with_setup"]?.stringValue ?? expect
    }
}

extension RuleCase {
    /// The outcome of the case, in a tree of its own if it has a `setup`.
    func outcome(in shared: ScratchRepository) throws -> (found: String, expected: String) {
        if setup.isEmpty { return (outcome(at: shared), expect) }
        let own = try ScratchRepository(setup: setup)
        defer { own.remove() }
        return (outcome(at: own), expectWithSetup)
    }

    private func outcome(at repository: ScratchRepository) -> String {
        repository.settles(next, approved: approved, root: root, cwd: cwd, nextCwd: nextCwd) == nil ? "hold" : "pass"
    }
}

extension ScratchRepository {
    /// The rules that settle a line after another line was approved; nil if a person is asked.
    func settles(
        _ next: String, approved: String, root: String = "", cwd: String = "", nextCwd: String? = nil
    ) -> [Pattern]? {
        let paths = DiskPaths()
        let allow = RuleEngine.patterns(
            tool: "Bash", input: ["command": .string(approved)], context: context(root: root, cwd: cwd),
            paths: paths)
        return RuleEngine.settles(
            tool: "Bash", input: ["command": .string(next)], allow: allow,
            context: context(root: root, cwd: nextCwd ?? cwd), paths: paths)
    }

    func patterns(_ line: String, cwd: String = "") -> [String] {
        RuleEngine.patterns(
            tool: "Bash", input: ["command": .string(line)], context: context(cwd: cwd), paths: DiskPaths()
        ).map(\.text)
    }
}

extension RuleEngine {
    static func settles(
        tool: String, input: JSON, allow: [Pattern], context: RuleContext, paths: any PathPort
    ) -> [Pattern]? {
        settles(tool: tool, input: input, allow: Set(allow), context: context, paths: paths)
    }
}
