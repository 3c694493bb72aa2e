import Foundation
import Testing

/// What is written about the program, compared with the program.
@Suite struct DocumentTests {
    /// The program that was built with these tests.
    private static let cdev: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/cdev"
    }()

    @Test func theReadmeListsTheCommandsAsTheHelpDoes() throws {
        let rows = try Markdown.table(in: "README.md", headed: "command").map { [$0[0].code[0], $0[1].text] }
        #expect(rows == (try commandsOfHelp()))
    }

    private func commandsOfHelp() throws -> [[String]] {
        // A row that is too long goes on below its text.
        let help = try output(of: [Self.cdev, "--help"]).replacing(/\n {4,}/, with: " ")
        return help.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^  (\S+(?: \S+)*) {2,}(\S.*)$/).map { [String($0.1), String($0.2)] }
        }
    }

    /// The tables of the protocol and of the configuration, and where the program says the same.
    @Test(arguments: [
        ("README.md", "key", "Sources/Daemon/Configuration", #"case "(\w+)": configuration\."#),
        ("README.md", "key", "Sources/Daemon/Configuration", #"ConfigurationKey\(\s*"(\w+)""#),
        ("docs/protocol.md", "event", "Sources/Dialects/Cdev/Events", #"case \.\w+(?:\(.*\))?: "(\w+)"$"#),
        ("docs/protocol.md", "method", "Sources/Dialects/Cdev/Methods", #"^\s*Method\(\s*"([^"]+)""#),
    ])
    func theTableIsComplete(page: String, head: String, sources: String, pattern: String) throws {
        let regex = try Regex<(Substring, Substring)>(pattern).anchorsMatchLineEndings()
        var names: Set<String> = head == "event" ? ["heartbeat"] : []
        for path in try Repository.files(in: sources, ending: ".swift") {
            let text = try Repository.text(path)
            names.formUnion(text.matches(of: regex).map { String($0.1) })
            if head == "method" { names.formUnion(methodsOfSeveralNames(in: text)) }
        }
        let documented = try Markdown.table(in: page, headed: head).flatMap { $0[0].code }
        #expect(Set(documented) == names)
        #expect(documented == documented.sorted())
    }

    /// Those that are declared once for all their names. Each of git has its names in two places.
    private func methodsOfSeveralNames(in text: String) -> [String] {
        text.matches(of: /(Method\.named\(\[|Self\.named\(|take\()((?:"[^"]+"(?:, )?)+)/).flatMap { match in
            let names = match.2.matches(of: /"([a-z_\/]+)"/).map { String($0.1) }
            return match.1.hasPrefix("Method") ? names : names.flatMap { ["workspace/git/\($0)", "git/\($0)"] }
        }
    }

    /// A word is explained once, by a type that is there.
    @Test func theGlossaryNamesTypesThatAreThere() throws {
        let rows = try Markdown.table(in: "docs/glossary.md", headed: "word")
        #expect(rows.map { $0[0].text } == rows.map { $0[0].text }.sorted())
        let types = try Set(Repository.files(in: "Sources", ending: ".swift").flatMap(types))
        for name in rows.flatMap({ $0[2].code }) { #expect(types.contains(name), "\(name)") }
    }

    private func types(in path: String) throws -> [String] {
        try Repository.text(path).matches(of: /\b(?:struct|enum|class|protocol|actor) (\w+)/).map { String($0.1) }
    }

    @Test func theManifestIsSorted() throws {
        let manifest = try Repository.text("Package.swift")
        let targets = try #require(manifest.firstRange(of: "targets: [\n        library("))
        let end = try #require(manifest.firstRange(of: "    swiftLanguageModes:"))
        let names = manifest[targets.lowerBound..<end.lowerBound].split(separator: "\n").compactMap { line in
            line.firstMatch(of: /(?:^        (library|tests)\("|\bname: ")([^"]+)"/).map { ($0.1, String($0.2)) }
        }
        let parts = names.filter { $0.0 != "tests" && $0.1 != "TestSupport" }.map(\.1)
        let tests = names.filter { $0.0 == "tests" }.map(\.1)
        #expect(parts.count > 10 && tests.count > 5)
        #expect(parts == parts.sorted())
        #expect(tests == tests.sorted())
    }

    /// A page that no other page leads to is found by nobody.
    @Test func everyPageIsReachedFromTheReadme() throws {
        let readme = try Repository.text("README.md")
        for page in try Repository.files(in: "docs", ending: ".md") {
            #expect(readme.contains("(\(page))"), "\(page)")
        }
    }

    @Test func everyLinkLeadsSomewhere() throws {
        for page in try ["README.md"] + Repository.files(in: "docs", ending: ".md") {
            let directory = page.contains("/") ? page.split(separator: "/").dropLast().joined(separator: "/") + "/" : ""
            for link in try Repository.text(page).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                let target = Repository.root + "/" + directory + link.1
                #expect(FileManager.default.fileExists(atPath: target), "\(page): \(link.1)")
            }
        }
    }
}
