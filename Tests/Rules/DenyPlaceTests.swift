import Foundation
import Host
import OrderedJSON
import Rules
import Testing

@Suite("Deny rules for hosts and files")
struct DenyPlaceTests {
    @Test("hosts: a deny holds at every port, for every user, however the address is written")
    func hosts() throws {
        let repository = try #require(ScratchRepository.shared)
        let context = repository.context()
        func rules(_ url: String) -> [Pattern] {
            RuleEngine.denyPatterns(
                tool: "WebFetch", input: ["url": .string(url)], context: context, paths: DiskPaths())
        }
        #expect(rules("https://a.example:8443/x").map(\.text) == ["WebFetch(domain:a.example)"])
        for (url, isDenied) in [
            ("https://a.example/", true), ("http://a.example:3000/", true), ("https://A.example./x", true),
            ("https://u:p@a.example/", true), ("https:\\\\a.example\\x", true), ("https:a.example", true),
            (" ht\ntps://a.ex\tample", true), ("https://b.example/a.example", false), ("https://a.example.b/", false),
            ("https://a.example@b.example/", false), ("https://xa.example/", false),
            ("https://%61.ex%41mple/", true),
            ("https://\u{FF41}.example/", true), ("https://a\u{3002}example/", true),
            ("https://a.exam\u{AD}ple/", true),
            ("https://a.\u{1D404}xample/", true), ("https://b\u{FC}cher.example/", false),
            ("https://B\u{DC}CHER.example/", false), ("https://a.example%2e/", true),
            ("https://a.example/" + String(repeating: "a", count: 20_000), true),
        ] {
            let found = RuleEngine.denies(
                tool: "WebFetch", input: ["url": .string(url), "unknown": 1], deny: rules("https://a.example/"),
                context: context, paths: DiskPaths())
            #expect((found != nil) == isDenied, "\(url)")
        }
    }

    @Test(
        "hosts: numbers and letters in every spelling",
        arguments: [
            ("http://127.0.0.1/", "http://127.1/"), ("http://127.0.0.1/", "http://0x7f000001/"),
            ("http://127.0.0.1/", "http://2130706433/"), ("http://127.0.0.1/", "http://0177.0.0.1/"),
            ("http://127.1/", "http://127.0.0.1/"), ("https://xn--bcher-kva.example/", "https://b\u{FC}cher.example/"),
            ("https://xn--bcher-kva.example/", "https://BU\u{308}CHER.example/"),
        ])
    func spelledHosts(denied: String, url: String) throws {
        let context = try #require(ScratchRepository.shared).context()
        let rules = RuleEngine.denyPatterns(
            tool: "WebFetch", input: ["url": .string(denied)], context: context, paths: DiskPaths())
        #expect(
            RuleEngine.denies(
                tool: "WebFetch", input: ["url": .string(url)], deny: rules, context: context, paths: DiskPaths())
                != nil)
        for other in ["http://127.0.0.2/", "http://1.2.3.4.5/", "http://0x/", "https://other.example/"] {
            #expect(
                RuleEngine.denies(
                    tool: "WebFetch", input: ["url": .string(other)], deny: rules, context: context,
                    paths: DiskPaths()) == nil, "\(other)")
        }
    }

    /// The kernel gives each process another directory there, the daemon its own.
    @Test("what a path below /proc leads to is known to nobody: no rule allows it, every rule for files forbids it")
    func otherProcesses() throws {
        let context = try #require(ScratchRepository.shared).context()
        let here = try #require(Pattern(stored: "Write(\(FileManager.default.currentDirectoryPath)/**)"))
        for path in [
            "/proc/self/cwd/x.txt", "/proc/thread-self/cwd/x.txt", "/proc/self/root/x.txt",
        ] {
            let input: JSON = ["file_path": .string(path), "content": "x"]
            #expect(
                RuleEngine.settles(tool: "Write", input: input, allow: [here], context: context, paths: DiskPaths())
                    == nil,
                "\(path)")
            #expect(
                RuleEngine.denies(tool: "Write", input: input, deny: [here], context: context, paths: DiskPaths())
                    != nil,
                "\(path)")
        }
    }
}
