import Host
import OrderedJSON
import Rules
import Synchronization
import Testing

@Suite("Remotes, by the repository's own settings")
struct GitSettingsTests {
    /// A tree whose only file is `.git/config`.
    private struct SettingsPaths: PathPort {
        let settings: String
        /// Further files by their paths.
        var others: [String: String] = [:]

        func entry(at path: String) -> PathEntry {
            let repository = ["/p/.git", "/p/.git/HEAD", "/p/.git/objects", "/p/.git/refs"]
            let isThere = (repository + ["/p", "/p/src", "/p/lib", "/srv", "/srv/x.git"]).contains(path)
            return isThere || others[path] != nil ? .plain : .missing
        }

        func kind(of absolutePath: String) -> PathKind {
            entry(at: absolutePath) == .missing ? .missing : others[absolutePath] != nil ? .file : .directory
        }

        func names(in directory: String) -> [String]? { nil }
        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? { nil }

        func text(of absolutePath: String, limit: Int) -> String? {
            if absolutePath == "/p/.git/HEAD" { return "ref: refs/heads/main\n" }
            if let other = others[absolutePath] { return other }
            return absolutePath == "/p/.git/config" && settings.utf8.count <= limit ? settings : nil
        }
    }

    private func keys(
        _ line: String, settings: String, others: [String: String] = [:], root: String = "/p"
    ) -> [String] {
        let context = RuleContext(root: root, rootIsBroad: false, cwd: root, home: "/home/u")
        return RuleEngine.patterns(
            tool: "Bash", input: ["command": .string(line)], context: context,
            paths: SettingsPaths(settings: settings, others: others)
        ).map(\.text)
    }

    @Test(
        "an address that git goes to, wherever it is written",
        arguments: [
            ("https://x.invalid/a.git", true), ("ssh://git@x.invalid/a", true), ("git@x.invalid:a/b.git", true),
            ("x.invalid:a", true), ("/srv/x.git", true), ("../x.git", true), ("https://x.invalid:1/a.git", true),
            ("git://x.invalid/a", true),
            ("/p/lib", false), ("lib", false), ("./lib", false), ("lib/x:y", false), (".", false), ("/p", false),
            ("ext::sh -c id", false), ("ext::sh", false), ("file:///p/lib", false), ("-x", false), ("~/x", false),
            ("\"https://x.invalid/a\"", false), ("https://x.invalid/a#b", false), ("", false), ("rsync://x/y", false),
        ])
    func addresses(address: String, isTaken: Bool) {
        let settings = "[remote \"r\"]\n\turl = \(address)\n\tfetch = +refs/heads/*:refs/remotes/r/*\n"
        #expect((keys("git push r main", settings: settings) == ["Bash(git push r \(address):*)"]) == isTaken)
        #expect((keys("git fetch", settings: settings) == ["Bash(git fetch r \(address):*)"]) == isTaken)
    }

    @Test(
        "hooks that a commit may bring are not started",
        arguments: [
            ("", true), ("[core]\n\tbare = false\n", true), ("[core]\n\thooksPath = .husky\n", false),
            ("[Core]\n\tHOOKSPATH=.githooks\n", false), ("[include]\n\tpath = x\n", false),
        ])
    func hooks(settings: String, isTaken: Bool) {
        #expect((keys("git switch -c a b", settings: settings) == ["Bash(git switch -c b:*)"]) == isTaken)
        #expect((keys("git checkout -b a b", settings: settings) == ["Bash(git checkout -b b:*)"]) == isTaken)
        #expect(keys("git switch -c a", settings: settings) == ["Bash(git switch -c:*)"])
    }

    @Test(
        "what is not understood, or takes more into account, names no remote",
        arguments: [
            "[include]\n\tpath = x\n", "[includeIf \"gitdir:x\"]\n\tpath = x\n",
            "[url \"lib\"]\n\tinsteadOf = https://\n",
            "[remote \"o\\\"x\"]\n", "[remote.x]\n", "[remote \"r\"] url = x\n", "[a]\n\tb = c \\\n", "[a]\r\n",
            "[remote \"r\"]\n\tuploadpack = x\n", "[remote \"r\"]\n\treceivepack = x\n", "[remote \"r\"]\n\tvcs = x\n",
            "[remote \"r\"]\n\turl = lib\n", "[fetch]\n\tall = true\n", "[remote \"r\"]\n\tpushurl = /p/lib\n",
            "[remote \"r\"]\n\turl\n", "[remotes]\n\tr = x y\n",
        ])
    func refused(more: String) {
        let settings = "[remote \"r\"]\n\turl = https://x.invalid/a\n"
        #expect(keys("git push r", settings: settings) == ["Bash(git push r https://x.invalid/a:*)"])
        #expect(keys("git push r", settings: settings + more) == ["Bash(git push r)"])
    }

    @Test(
        "without a name, every remote that git may choose",
        arguments: [
            ("", true), ("[branch \"m\"]\n\tremote = r\n", true), ("[branch \"m\"]\n\tremote = .\n", true),
            ("[branch \"m\"]\n\tremote = lib\n", false), ("[branch \"m\"]\n\tremote = ./lib\n", false),
            ("[branch \"m\"]\n\tpushRemote = lib\n", false), ("[remote]\n\tpushDefault = lib\n", false),
            ("[remote \"other\"]\n\turl = lib\n", false),
            ("[branch \"m\"]\n\tremote = other\n[remote \"other\"]\n\turl = https://x.invalid/b\n", false),
            ("[BRANCH \"m\"]\n\tREMOTE=lib\n", false),
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
        #expect(keys("git push r", settings: settings) == ["Bash(git push r https://x.invalid/a:*)"])
        #expect(keys("git push lib", settings: settings) == ["Bash(git push lib)"])
        #expect(keys("git push r", settings: settings, root: "/p/src") == ["Bash(git push r)"])
        #expect(keys("git push r", settings: settings + String(repeating: "#", count: 70_000)) == ["Bash(git push r)"])
    }

    private static let remote =
        "[remote \"r\"]\n\turl = https://x.invalid/a\n\tfetch = +refs/heads/*:refs/remotes/r/*\n"

    /// What is written into settings after a rule was granted, and whether the rule then still covers a push and a fetch.
    struct Change: Sendable {
        var front = ""
        var more = ""
        var file = ""
        var text = ""
        var pushes = false
        var fetches = false
    }

    private static let changes = [
        Change(pushes: true, fetches: true),
        Change(more: "[remote \"r\"]\n\turl = https://y.invalid/b\n"),
        Change(more: "[remote \"r\"]\n\tpushurl = https://y.invalid/b\n", fetches: true),
        Change(more: "[remote \"r\"]\n\tpushurl = https://x.invalid/a\n", pushes: true, fetches: true),
        Change(more: "[remote \"s\"]\n\turl = https://y.invalid/b\n", pushes: true, fetches: true),
        Change(more: "[url \"https://y.invalid/\"]\n\tinsteadOf = https://x.invalid/\n"),
        Change(more: "[include]\n\tpath = x\n"),
        // Git skips a mark in front, so that a section begins there.
        Change(front: "\u{FEFF}[remote \"r\"]\n\tpushurl = https://y.invalid/b\n"),
        Change(front: "\u{FEFF}[url \"https://y.invalid/\"]\n\tinsteadOf = https://x.invalid/\n"),
        Change(front: "a = b\n"),
        // What no word of the command says.
        Change(more: "[remote \"r\"]\n\tpush = +refs/heads/*:refs/heads/*\n", fetches: true),
        Change(more: "[remote \"r\"]\n\tmirror\n", fetches: true),
        Change(file: "/home/u/.gitconfig", text: "[remote \"r\"]\n\tmirror = true\n", fetches: true),
        Change(file: "/home/u/.gitconfig", text: "[remote \"r\"]\n\treceivepack = x\n"),
        // Submodules have remotes of their own.
        Change(more: "[push]\n\trecurseSubmodules = on-demand\n", pushes: true, fetches: true),
        Change(file: "/p/.gitmodules", pushes: true),
        Change(file: "/p/.git/modules", pushes: true),
        // One submodule's own setting, also in `.gitmodules`, counts more than this.
        Change(more: "[fetch]\n\trecurseSubmodules = no\n", file: "/p/.gitmodules", pushes: true),
        Change(more: "[push]\n\trecurseSubmodules = on-demand\n", file: "/p/.gitmodules"),
        Change(more: "[push]\n\trecurseSubmodules = no\n", file: "/p/.gitmodules", pushes: true),
        Change(more: "[submodule]\n\trecurse = true\n", file: "/p/.gitmodules"),
        // Of two as long, the order in which git reads them decides.
        Change(
            file: "/home/u/.gitconfig",
            text: "[url \"https://y.invalid/\"]\n\tinsteadOf = https://x.invalid/\n"
                + "[url \"https://x.invalid/\"]\n\tinsteadOf = https://x.invalid/\n"),
        Change(
            file: "/home/u/.gitconfig",
            text: "[url \"https://x.invalid/\"]\n\tinsteadOf = https://x.invalid/\n", pushes: true, fetches: true),
        Change(file: "/home/u/.gitconfig", text: "[user]\n\tname = x\n", pushes: true, fetches: true),
        Change(file: "/home/u/.gitconfig", text: "[url \"https://y.invalid/\"]\n\tinsteadOf = https://x.invalid/\n"),
        Change(
            file: "/home/u/.gitconfig", text: "[url \"https://y.invalid/\"]\n\tpushInsteadOf = https://x.invalid/\n",
            fetches: true),
        Change(
            file: "/home/u/.gitconfig", text: "[url \"https://y.invalid/\"]\n\tinsteadOf = https://z.invalid/\n",
            pushes: true, fetches: true),
        Change(file: "/home/u/.gitconfig", text: "[url \"lib/\"]\n\tinsteadOf = https://x.invalid/\n"),
        Change(file: "/home/u/.gitconfig", text: "[remote \"r\"]\n\turl = https://y.invalid/b\n"),
        Change(
            file: "/home/u/.config/git/config", text: "[url \"https://y.invalid/\"]\n\tinsteadOf = https://x.invalid/\n"
        ),
        Change(file: "/etc/gitconfig", text: "[url \"https://y.invalid/\"]\n\tinsteadOf = https://x.invalid/\n"),
        Change(file: "/p/.git/config.worktree", text: "[remote \"r\"]\n\turl = https://y.invalid/b\n"),
        Change(file: "/p/.git/config.worktree", text: "[core]\n\tbare = false\n", pushes: true, fetches: true),
    ]

    @Test("a rule for a remote ends where another address is written there", arguments: changes)
    func changed(change: Change) {
        let files = change.file.isEmpty ? [:] : [change.file: change.text]
        for (line, isCovered) in [("git push r x", change.pushes), ("git fetch r", change.fetches)] {
            let before = keys(line, settings: Self.remote)
            #expect(before.first?.hasSuffix(":*)") == true)
            let after = keys(line, settings: change.front + Self.remote + change.more, others: files)
            #expect((after == before) == isCovered, "\(line)")
        }
    }

    /// All branches that the remote has, too, were pushed.
    @Test(
        "a push that names no branch, where that takes more than the one that is checked out",
        arguments: [
            ("", "", true), ("matching", "", false), ("MATCHING", "", false), ("simple", "", true),
            ("current ", "", true), ("\"upstream\"", "", true), ("matching # x", "", false), ("", "matching", false),
            ("simple", "matching", true), ("matching", "simple", false), ("", "nothing", true),
        ])
    func matching(own: String, users: String, isTaken: Bool) {
        let setting = { (value: String) in value.isEmpty ? "" : "[push]\n\tdefault = \(value)\n" }
        for (line, isTaken) in [("git push r", isTaken), ("git push -u", isTaken), ("git push r x", true)] {
            let keys = keys(
                line, settings: Self.remote + setting(own), others: ["/home/u/.gitconfig": setting(users)])
            #expect((keys == ["Bash(git push r https://x.invalid/a:*)"]) == isTaken, "\(line)")
        }
    }

    @Test("no password is shown")
    func hidden() {
        let settings = "[remote \"r\"]\n\turl = https://me:secret@x.invalid/a\n"
        #expect(keys("git push r", settings: settings) == ["Bash(git push r https://x.invalid/a:*)"])
    }

    @Test("a deny of a push covers every remote")
    func denied() throws {
        let repository = try #require(ScratchRepository.shared)
        let context = repository.context()
        let input: JSON = ["command": "git push origin main"]
        let offers = RuleEngine.offers(tool: "Bash", input: input, context: context, paths: DiskPaths())
        #expect(offers.deny == ["Bash(git push:*)"])
        #expect(offers.allow == ["Bash(git push origin https://example.invalid/me/repo.git:*)"])
        let rule = try #require(Pattern(stored: offers.deny[0]))
        for line in ["git push origin main", "git push api x", "git push", "git push --force origin; ls"] {
            #expect(
                RuleEngine.denies(
                    tool: "Bash", input: ["command": .string(line)], deny: [rule], context: context,
                    paths: DiskPaths()) == rule, "\(line)")
        }
        #expect(try #require(Pattern(stored: offers.allow[0])).stored == offers.allow[0])
    }

    /// Counts how often a file is read.
    private final class CountedPaths: PathPort {
        let paths: SettingsPaths
        let read = Mutex<[String: Int]>([:])

        init(_ paths: SettingsPaths) { self.paths = paths }

        func entry(at path: String) -> PathEntry { paths.entry(at: path) }
        func kind(of absolutePath: String) -> PathKind { paths.kind(of: absolutePath) }
        func names(in directory: String) -> [String]? { nil }
        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? { nil }

        func text(of absolutePath: String, limit: Int) -> String? {
            read.withLock { $0[absolutePath, default: 0] += 1 }
            return paths.text(of: absolutePath, limit: limit)
        }
    }

    @Test("the packed references are read once for a line")
    func packedReferences() {
        let packed = "/p/.git/packed-refs"
        let settings = "[remote \"r\"]\n\turl = x.invalid:a\n\tfetch = +refs/heads/*:refs/remotes/r/*\n"
        let paths = CountedPaths(
            SettingsPaths(
                settings: settings, others: [packed: "# pack-refs with: peeled \n1 refs/tags/v1\n^2\n1 refs/heads/a"]))
        func keys(_ line: String) -> [String] {
            RuleEngine.patterns(
                tool: "Bash", input: ["command": .string(line)],
                context: RuleContext(root: "/p", rootIsBroad: false, cwd: "/p", home: "/home/u"), paths: paths
            ).map(\.text)
        }
        #expect(keys("git push r a b c && git push r d") == ["Bash(git push r x.invalid:a:*)"])
        #expect(paths.read.withLock { $0[packed] } == 1)
        #expect(keys("git push r a v1") == ["Bash(git push r a v1)"])
    }
}
