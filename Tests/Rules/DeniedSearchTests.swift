import Host
import OrderedJSON
import Rules
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
}
