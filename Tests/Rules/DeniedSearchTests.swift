import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

/// Searches that come to what a deny rule names: `Cases/denied-searches.json`. `/repo` stands for the session's root.
@Suite("Deny rules and searches")
struct DeniedSearchTests {
    @Test("a search of what is denied is denied, and one that may come to it is asked about")
    func cases() throws {
        let repository = try #require(ScratchRepository.shared)
        let text = try RuleCase.text(of: "denied-searches").replacing("\"/repo", with: "\"" + repository.root)
            .replacing("(/repo", with: "(" + repository.root)
        for item in try JSON(parsing: text).arrayValue ?? [] {
            let (tool, input) = (item["tool"]?.stringValue ?? "", item["input"] ?? [:])
            let context = repository.context(cwd: item["cwd"]?.stringValue ?? "")
            let deny = [try #require(Pattern(stored: item["rule"]?.stringValue ?? ""))]
            let denies = RuleEngine.denies(tool: tool, input: input, deny: deny, context: context, paths: DiskPaths())
            let may = RuleEngine.mayDeny(tool: tool, input: input, deny: deny, context: context, paths: DiskPaths())
            let found = denies != nil ? "deny" : may != nil ? "ask" : "free"
            #expect(found == item["expect"]?.stringValue, "\(item.serialized())")
        }
    }

    /// A pattern has a path's length at most. A longer one is not read: it may lead anywhere.
    @Test("what is too long to be a pattern or a path is asked about or denied in a moment")
    func long() throws {
        let context = try #require(ScratchRepository.shared).context()
        let deny = try ["Read", "Glob", "Grep", "Write"].map { try #require(Pattern(stored: "\($0)(/p/secret/**)")) }
        let pieces = [
            "*", "a", "a/", "../", "{a,", " ", "a/b ", ",", "./", "\u{3000}", "e\u{301}", "**/", "/", "!a ", "*.a ",
            "*.{a,b} ",
        ]
        for (piece, size) in pieces.flatMap({ [($0, 8 << 20), ($0, 4000)] }) {
            let text = JSON.string(String(repeating: piece, count: size / piece.utf8.count))
            let calls: [(String, JSON)] = [
                ("Glob", ["pattern": text]), ("Grep", ["pattern": "x", "glob": text]),
                ("Grep", ["pattern": text]), ("Glob", ["pattern": "*", "path": text]),
                ("Grep", ["pattern": "x", "path": text]), ("Read", ["file_path": text]),
                ("Write", ["file_path": text, "content": "x"]), ("NotebookEdit", ["notebook_path": text]),
            ]
            for (tool, input) in calls {
                var isHeld = false
                let seconds = ProcessorTime.of {
                    isHeld =
                        RuleEngine.denies(tool: tool, input: input, deny: deny, context: context, paths: DiskPaths())
                        != nil
                        || RuleEngine.mayDeny(
                            tool: tool, input: input, deny: deny, context: context, paths: DiskPaths()) != nil
                }
                #expect(isHeld || size == 4000 || input["pattern"] == text && tool == "Grep", "\(tool) \(piece)")
                #expect(seconds < 0.4, "\(tool) \(piece) \(seconds)")
            }
        }
    }
}
