import OrderedJSON
import Rules
import Testing

@Suite("Remotes, by the repository's own settings")
struct GitSettingsTests {
    /// A tree whose only file is `.git/config`.
    private struct SettingsPaths: PathPort {
        let settings: String

        func entry(at path: String) -> PathEntry {
            let repository = ["/p/.git", "/p/.git/HEAD", "/p/.git/objects", "/p/.git/refs"]
            return (repository + ["/p", "/p/src", "/p/lib", "/srv", "/srv/x.git"]).contains(path) ? .plain : .missing
        }

        func kind(of absolutePath: String) -> PathKind {
            entry(at: absolutePath) == .missing ? .missing : .directory
        }

        func names(in directory: String) -> [String]? { nil }
        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? { nil }

        func text(of absolutePath: String, limit: Int) -> String? {
            if absolutePath == "/p/.git/HEAD" { return "ref: refs/heads/main\n" }
            return absolutePath == "/p/.git/config" && settings.utf8.count <= limit ? settings : nil
        }
    }

    private func keys(_ line: String, settings: String, root: String = "/p") -> [String] {
        let context = RuleContext(root: root, rootIsBroad: false, cwd: root, home: "/home/u")
        return RuleEngine.patterns(
            tool: "Bash", input: ["command": .string(line)], context: context, paths: SettingsPaths(settings: settings)
        ).map(\.text)
    }

    @Test(
        "an address that git goes to, wherever it is written",
        arguments: [
            ("https://x.invalid/a.git", true), ("ssh://git@x.invalid/a", true), ("git@x.invalid:a/b.git", true),
            ("x.invalid:a", true), ("/srv/x.git", true), ("../x.git", true), ("git://x.invalid/a", true),
            ("/p/lib", false), ("lib", false), ("./lib", false), ("lib/x:y", false), (".", false), ("/p", false),
            ("ext::sh -c id", false), ("ext::sh", false), ("file:///p/lib", false), ("-x", false), ("~/x", false),
            ("\"https://x.invalid/a\"", false), ("https://x.invalid/a#b", false), ("", false), ("rsync://x/y", false),
        ])
    func addresses(address: String, isTaken: Bool) {
        let settings = "[remote \"r\"]\n\turl = \(address)\n\tfetch = +refs/heads/*:refs/remotes/r/*\n"
        #expect((keys("git push r main", settings: settings) == ["Bash(git push:*)"]) == isTaken)
        #expect((keys("git fetch", settings: settings) == ["Bash(git fetch:*)"]) == isTaken)
    }

    @Test(
        "hooks that a commit may bring are not started",
        arguments: [
            ("", true), ("[core]\n\tbare = false\n", true), ("[core]\n\thooksPath = .husky\n", false),
            ("[Core]\n\tHOOKSPATH=.githooks\n", false), ("[include]\n\tpath = x\n", false),
        ])
    func hooks(settings: String, isTaken: Bool) {
        #expect((keys("git switch -c a b", settings: settings) == ["Bash(git switch -c:*)"]) == isTaken)
        #expect((keys("git checkout -b a b", settings: settings) == ["Bash(git checkout -b:*)"]) == isTaken)
        #expect(keys("git switch -c a", settings: settings) == ["Bash(git switch -c:*)"])
    }

    @Test(
        "what is not understood, or takes more into account, names no remote",
        arguments: [
            "[include]\n\tpath = x\n", "[includeIf \"gitdir:x\"]\n\tpath = x\n",
            "[url \"lib\"]\n\tinsteadOf = https://\n",
            "[remote \"o\\\"x\"]\n", "[remote.x]\n", "[remote \"r\"] url = x\n", "[a]\n\tb = c \\\n", "[a]\r\n",
            "[remote \"r\"]\n\tuploadpack = x\n", "[remote \"r\"]\n\treceivepack = x\n", "[remote \"r\"]\n\tvcs = x\n",
            "[remote \"r\"]\n\turl = lib\n", "[remote \"r\"]\n\tpushurl = /p/lib\n", "[remote \"r\"]\n\turl\n",
        ])
    func refused(more: String) {
        let settings = "[remote \"r\"]\n\turl = https://x.invalid/a\n"
        #expect(keys("git push r", settings: settings) == ["Bash(git push:*)"])
        #expect(keys("git push r", settings: settings + more) == ["Bash(git push r)"])
    }

    @Test(
        "without a name, every remote that git may choose",
        arguments: [
            ("", true), ("[branch \"m\"]\n\tremote = r\n", true), ("[branch \"m\"]\n\tremote = .\n", true),
            ("[branch \"m\"]\n\tremote = lib\n", false), ("[branch \"m\"]\n\tremote = ./lib\n", false),
            ("[branch \"m\"]\n\tpushRemote = lib\n", false), ("[remote]\n\tpushDefault = lib\n", false),
            ("[remote \"other\"]\n\turl = lib\n", false), ("[BRANCH \"m\"]\n\tREMOTE=lib\n", false),
            ("[branch \"m\"]\n\tremote = https://x.invalid/a\n", false),
        ])
    func defaults(more: String, isTaken: Bool) {
        let settings = "# mine\n[core]\n\tbare = false\n[remote \"r\"]\n\turl = https://x.invalid/a\n" + more
        for line in ["git push", "git pull -q", "git fetch"] {
            #expect(keys(line, settings: settings).contains { $0.hasSuffix(":*)") } == isTaken, "\(line)")
        }
    }

    @Test("not where the root is no top of a work tree, the name is also a path, or nothing can be read")
    func places() {
        let settings = "[remote \"lib\"]\n\turl = https://x.invalid/a\n[remote \"r\"]\n\turl = https://x.invalid/a\n"
        #expect(keys("git push r", settings: settings) == ["Bash(git push:*)"])
        #expect(keys("git push lib", settings: settings) == ["Bash(git push lib)"])
        #expect(keys("git push r", settings: settings, root: "/p/src") == ["Bash(git push r)"])
        #expect(keys("git push r", settings: settings + String(repeating: "#", count: 70_000)) == ["Bash(git push r)"])
    }
}
