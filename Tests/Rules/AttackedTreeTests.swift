import Foundation
import Host
import OrderedJSON
import Rules
import Testing

@Suite("Trees made to deceive")
struct AttackedTreeTests {
    private static let nested = ["vendor/emb/.git/HEAD", "app/vendor/emb/.git/HEAD", "app/x"]

    /// - Parameter ignoring: the text of each `.gitignore`.
    private func staged(_ line: String, ignoring: [String: String], setup: [String] = []) throws -> Bool {
        let repository = try ScratchRepository(setup: Self.nested + setup)
        defer { repository.remove() }
        for (path, text) in ignoring {
            try Data(text.utf8).write(to: URL(filePath: repository.root + "/" + path))
        }
        return repository.settles(line, approved: "git add a.txt") != nil
    }

    @Test("a directory is left out of what git takes only where nothing may take it back")
    func takenBack() throws {
        let root = "nested/\nvendor/\n"
        #expect(try staged("git add .", ignoring: [".gitignore": root]))
        #expect(try staged("git add .", ignoring: [".gitignore": root, "app/.gitignore": "x\n"]))
        #expect(try staged("git add .", ignoring: [".gitignore": root, "sub/.gitignore": "!vendor\n"]))
        for text in ["!vendor\n", "x\n!vendor/\n", "\u{FEFF}!vendor"] {
            #expect(try !staged("git add .", ignoring: [".gitignore": root, "app/.gitignore": text]), "\(text)")
            #expect(try !staged("git add app", ignoring: [".gitignore": root, "app/.gitignore": text]), "\(text)")
        }
        #expect(try !staged("git add .", ignoring: ["rules": root], setup: ["rules", ".gitignore -> rules"]))
        let link = ["rules", "app/.gitignore -> ../rules"]
        #expect(try !staged("git add .", ignoring: [".gitignore": root, "rules": "!vendor\n"], setup: link))
    }

    @Test(
        "a search with a glob reads no secret of such a name",
        arguments: [
            ("*.py", "web/secrets.py", false), ("*.py", "web/.env.py", false), ("*.py", "web/.secrets/a.py", false),
            ("*.{c,py}", "web/secrets/deep/a.PY", false), ("**/*.py", "web/credentials.py", false),
            ("a.py", "web/.secrets/a.py", false), ("*.py", "web/b.py -> ../../outside/x", false),
            ("*.py", "web/node_modules/x/secrets.py", true), ("*.py", "web/secrets.json", true),
            ("*.py", "web/.env", true), ("*.py", "web/b.py -> a.py", true), ("*.ts", "web/secrets.py", true),
            ("*.py", "web/.env.example/a.py", true),
        ])
    func searched(glob: String, entry: String, expected: Bool) throws {
        let repository = try ScratchRepository(setup: ["web/a.py", entry])
        defer { repository.remove() }
        let input: JSON = ["pattern": "x", "path": .string(repository.root + "/web"), "glob": .string(glob)]
        let offered = RuleEngine.patterns(
            tool: "Grep", input: input, context: repository.context(), paths: DiskPaths())
        #expect(!offered.isEmpty == expected)
    }
}
