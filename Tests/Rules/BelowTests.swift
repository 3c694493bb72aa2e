import OrderedJSON
import Rules
import Testing

@Suite("grep -r: what lies below a directory")
struct BelowTests {
    /// A tree of names, with the targets of its links in `links`.
    private struct Tree: PathPort {
        var names: [String: [DirectoryEntry]] = [:]
        var links: [String: String] = [:]

        func entry(at path: String) -> PathEntry {
            links[path].map { $0 == "?" ? .unknown : .link(to: $0) } ?? .plain
        }

        func kind(of absolutePath: String) -> PathKind { names[absolutePath] == nil ? .file : .directory }
        func names(in directory: String) -> [String]? { [] }
        func text(of absolutePath: String, limit: Int) -> String? { nil }

        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? {
            names[directory].flatMap { $0.count > most ? nil : $0 }
        }
    }

    private func isSettled(_ tree: Tree, _ line: String = "grep -rn foo src") -> Bool {
        RuleEngine.settles(
            tool: "Bash", input: ["command": .string(line)], allow: [Pattern(stored: "Bash(grep:*)")].compactMap { $0 },
            context: RuleContext(root: "/p/q/r", rootIsBroad: false, cwd: "/p/q/r", home: "/home/u"), paths: tree)
            != nil
    }

    private func files(_ count: Int) -> [DirectoryEntry] {
        (0..<count).map { DirectoryEntry(name: "f\($0)", kind: .other) }
    }

    @Test("as many names as are looked at, and one more", arguments: [(5000, true), (5001, false)])
    func bound(count: Int, expected: Bool) {
        #expect(isSettled(Tree(names: ["/p/q/r/src": files(count)])) == expected)
        let deep = Tree(names: [
            "/p/q/r/src": files(count - 1001) + [DirectoryEntry(name: "d", kind: .directory)],
            "/p/q/r/src/d": files(1000),
        ])
        #expect(isSettled(deep) == expected)
    }

    @Test("all directories of a command count together")
    func together() {
        let tree = Tree(names: ["/p/q/r/src": files(3000), "/p/q/r/lib": files(3000)])
        #expect(isSettled(tree))
        #expect(!isSettled(tree, "grep -rn foo src lib"))
    }

    @Test(
        "a sensitive name, however deep and hidden", arguments: [".env", "id_rsa", "x.pem", ".git", "Credentials.json"])
    func sensitive(name: String) {
        let tree = Tree(names: [
            "/p/q/r/src": [DirectoryEntry(name: ".d", kind: .directory)],
            "/p/q/r/src/.d": [DirectoryEntry(name: "e", kind: .directory)],
            "/p/q/r/src/.d/e": [DirectoryEntry(name: name, kind: .other)],
        ])
        #expect(!isSettled(tree))
        #expect(isSettled(tree, "grep -n foo src/.d/e/f"))
    }

    @Test(
        "a link counts as what it leads to",
        arguments: [
            ("/p/q/r/src/other", true), ("/p/q/r/.env", false), ("/p/q/r", false), ("/etc", false), ("?", false),
        ])
    func links(target: String, expected: Bool) {
        let tree = Tree(
            names: ["/p/q/r/src": [DirectoryEntry(name: "l", kind: .link)]], links: ["/p/q/r/src/l": target])
        #expect(isSettled(tree) == expected)
    }

    @Test("what cannot be listed is not searched")
    func unknown() {
        #expect(!isSettled(Tree(names: ["/p/q/r/src": [DirectoryEntry(name: "d", kind: .directory)]])))
    }
}
