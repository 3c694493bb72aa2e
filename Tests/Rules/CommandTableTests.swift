import Host
import OrderedJSON
import Rules
import Testing

@Suite("The table of known commands")
struct CommandTableTests {
    @Test("every shipped row can be read")
    func shipped() throws {
        for problem in CommandTable.shippedProblems { Issue.record("\(problem)") }
        #expect(CommandTable.shipped.count > 300)
        #expect(CommandTable.shipped.keys.count == Set(CommandTable.shipped.keys).count)
    }

    @Test("what is said to do less or more than another command has a row")
    func compared() {
        let keys = CommandTable.comparedKeys.flatMap { [$0.lesser, $0.wider] }
        #expect(keys.count > 50)
        #expect(Set(keys).subtracting(CommandTable.shipped.keys) == [])
    }

    /// A row of a person's own may have options under which the command does more.
    @Test("a rule for another command covers none of a person's rows")
    func addedLesser() throws {
        let json = try JSON(parsing: #"[{"key": "cargo check", "options": "--config=text", "reason": "ours"}]"#)
        let context = try #require(ScratchRepository.shared).context(
            commands: CommandTable(adding: try CommandTable.rows(from: json)))
        func settles(_ next: String, approved: String) -> Bool {
            let allow = RuleEngine.patterns(
                tool: "Bash", input: ["command": .string(approved)], context: context, paths: DiskPaths())
            return RuleEngine.settles(
                tool: "Bash", input: ["command": .string(next)], allow: allow, context: context, paths: DiskPaths())
                != nil
        }
        #expect(settles("cargo check --tests", approved: "cargo build"))
        #expect(settles("cargo check --config x", approved: "cargo check"))
        #expect(!settles("cargo check --config x", approved: "cargo build"))
    }

    /// `cdev explain` prints them. Keys and rows are words of the table, and a user's directory is the project.
    @Test("reasons are in a user's words")
    func reasons() {
        let reasons = (CommandTable.shippedColumns + CommandTable.filterColumns).compactMap(\.last)
        for word in [" root", "the tree", "of the tree", "the key", "effect", " row", "not here", "by rule"] {
            #expect(reasons.filter { $0.contains(word) } == [], "\(word)")
        }
    }

    @Test("a person's rows")
    func added() throws {
        let json = try JSON(
            parsing: """
                [{"key": "terraform plan", "parser": "flag", "options": "-no-color -lock=true|false", "reason": "only shows"},
                 {"key": "deploy FILE", "options": "all", "operands": "args...", "reason": "ours"},
                 {"key": "mytool -q", "reads": true, "operands": "text path...", "reason": "ours"}]
                """)
        let table = CommandTable(adding: try CommandTable.rows(from: json))
        #expect(table.added.map(\.key) == ["terraform plan", "deploy FILE", "mytool -q"])
        let repository = try #require(ScratchRepository.shared)
        func patterns(_ line: String) -> [String] {
            RuleEngine.patterns(
                tool: "Bash", input: ["command": .string(line)], context: repository.context(commands: table),
                paths: DiskPaths()
            ).map(\.text)
        }
        #expect(patterns("terraform plan -lock=false") == ["Bash(terraform plan:*)"])
        #expect(patterns("terraform apply") == ["Bash(terraform apply)"])
        #expect(patterns("deploy run.sh now --x") == ["Bash(deploy run.sh now --x:*)"])
        #expect(patterns("mytool -q a b.txt") == ["Bash(mytool -q:*)"])
        #expect(patterns("mytool -q a .env") == ["Bash(mytool -q a .env)"])
    }

    @Test(
        "a value or a letter counts where the program's parser reads it so",
        arguments: [
            ("", "-n 5 -a"), ("getopt", "-n5 -ab -abn5 -n=5 -name=5 -an=5"),
            ("getopt_long", "-n5 -ab -abn5 -n=5 -name=5 -an=5 --name=5 --only=5"),
            ("argparse", "-n5 -ab -abn5 -name=5 --name=5 --only=5"),
            ("clap", "-n5 -ab -abn5 -n=5 -name=5 -an=5 --name=5 --only=5"),
            ("pflag", "-n5 -ab -abn5 -n=5 -name=5 -an=5 --name=5 --only=5"), ("flag", "-n=5 --name=5 --only=5"),
            ("yargs", "--name=5 --only=5"), ("mri", "--name=5 --only=5"), ("own", "--name=5 --only=5"),
        ])
    func parsers(name: String, settled: String) throws {
        let parser = name.isEmpty ? "" : #""parser": "\#(name)", "#
        let row = #"[{"key": "x", \#(parser)"options": "-a -b -n=text --name=text --only?=text", "reason": "y"}]"#
        let table = CommandTable(adding: try CommandTable.rows(from: JSON(parsing: row)))
        let repository = try #require(ScratchRepository.shared)
        for word in ["-n5", "-ab", "-abn5", "-n=5", "-name=5", "--name=5", "--only=5", "-an=5", "-a=5", "--name"] {
            let isSettled =
                RuleEngine.patterns(
                    tool: "Bash", input: ["command": .string("x \(word)")],
                    context: repository.context(commands: table), paths: DiskPaths()
                ).map(\.text) == ["Bash(x:*)"]
            #expect(isSettled == settled.split(separator: " ").contains { $0 == word }, "\(name): \(word)")
        }
    }

    @Test(
        "a row that cannot be read says what is wrong",
        arguments: [
            (#"{}"#, "a list of rows"), (#"[1]"#, "#1\" has no key"), (#"[{"reason": "x"}]"#, "has no key"),
            (#"[{"key": "x"}]"#, "has no reason"), (#"[{"key": "x", "reason": " "}]"#, "has no reason"),
            (#"[{"key": "x", "reason": "y", "parser": "getopts"}]"#, "no known kind: getopts; known are argparse"),
            (#"[{"key": "x", "reason": "y", "parser": 1}]"#, "`parser` to be a text"),
            (#"[{"key": "x", "reason": "y", "why": "z"}]"#, "unknown member `why`"),
            (#"[{"key": "x", "reason": "y", "reads": "yes"}]"#, "`reads` to be true or false"),
            (#"[{"key": "x", "reason": "y", "options": ["-a"]}]"#, "`options` to be a text"),
            (#"[{"key": "x", "reason": "y", "options": "a"}]"#, "does not begin with -"),
            (#"[{"key": "x", "reason": "y", "options": "-a=foo"}]"#, "no known kind: foo"),
            (#"[{"key": "x", "reason": "y", "operands": "foo"}]"#, "no known kind: foo"),
            (#"[{"key": "x", "reason": "y", "operands": "path... text"}]"#, "behind one that may repeat"),
            (#"[{"key": "", "reason": "y"}]"#, "without a command"),
            (#"[{"key": "if x", "reason": "y"}]"#, "never have a key"),
            (#"[{"key": "sudo ls", "reason": "y"}]"#, "never have a key: sudo"),
            (#"[{"key": "cd", "reason": "y"}]"#, "never have a key: cd"),
            (#"[{"key": "a$b", "reason": "y"}]"#, "cannot be part"),
            (#"[{"key": "a/b", "reason": "y"}]"#, "cannot be part"),
            (#"[{"key": "x FILE FILE", "reason": "y"}]"#, "cannot be part"),
        ])
    func errors(text: String, message: String) throws {
        let json = try JSON(parsing: text)
        let error = #expect(throws: CommandRowError.self) { try CommandTable.rows(from: json) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
}
