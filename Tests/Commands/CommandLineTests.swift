import Commands
import Testing

@Suite struct CommandLineTests {
    private static let commands = [
        Command("devices", summary: "", options: [.json]) { _ in },
        Command("devices revoke", operands: "ID", 1...1, summary: "") { _ in },
        Command(
            "token create", operands: "[NAME]", 0...1, summary: "the first of the family",
            options: [CommandOption("--days", "N", "")]
        ) { _ in },
        Command("token list", summary: "") { _ in },
    ]

    private func parse(_ line: String) throws(CommandFailure) -> Invocation {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { $0 == "''" ? "" : String($0) }
        return try CommandLineParser.parse(words, commands: Self.commands, environment: ["A": "b"])
    }

    @Test(arguments: [
        ("devices", "devices", [], [:]),
        ("devices --json", "devices", [], ["--json": ""]),
        ("devices revoke dev_1", "devices revoke", ["dev_1"], [:]),
        ("devices revoke -- --json", "devices revoke", ["--json"], [:]),
        ("devices revoke -", "devices revoke", ["-"], [:]),
        ("devices revoke ''", "devices revoke", [""], [:]),
        ("token create", "token create", [], [:]),
        ("token create phone --days 3", "token create", ["phone"], ["--days": "3"]),
        ("token create --days=3=4", "token create", [], ["--days": "3=4"]),
        ("token create --days --json", "token create", [], ["--days": "--json"]),
        ("token create --days=", "token create", [], ["--days": ""]),
        ("token create --days 3 --days 4", "token create", [], ["--days": "4"]),
        ("devices revoke -h", "devices revoke", [], ["--help": ""]),
        ("token --help", "token create", [], ["--help": ""]),
        ("token -h", "token create", [], ["--help": ""]),
    ])
    func understood(line: String, name: String, operands: [String], options: [String: String]) throws {
        let invocation = try parse(line)
        #expect(invocation.command.name == name)
        #expect(invocation.operands == operands)
        #expect(invocation.options == options)
        #expect(invocation.environment == ["A": "b"])
        #expect(invocation.wantsJSON == line.hasSuffix("devices --json"))
    }

    @Test(arguments: [
        ("''", "unknown command ``; see `cdev --help`"),
        ("device", "unknown command `device`; did you mean `devices`? See `cdev --help`"),
        ("tokne", "unknown command `tokne`; did you mean `token`? See `cdev --help`"),
        ("nonsense", "unknown command `nonsense`; see `cdev --help`"),
        ("token", "`cdev token` is one of `token create`, `token list`; see `cdev --help`"),
        ("token drop", "`cdev token` is one of `token create`, `token list`; see `cdev --help`"),
        ("devices dev_1", "`cdev devices` takes no operand; see `cdev devices --help`"),
        (
            "devices revok x",
            "`cdev devices` takes no operand; did you mean `devices revoke`? See `cdev devices --help`"
        ),
        ("devices revoke", "`cdev devices revoke` takes ID; see `cdev devices revoke --help`"),
        ("token create a b", "`cdev token create` takes [NAME]; see `cdev token create --help`"),
        (
            "token lst",
            "`cdev token` is one of `token create`, `token list`; did you mean `token list`? See `cdev --help`"
        ),
        ("devices --jsn", "unknown option `--jsn`; did you mean `--json`? See `cdev devices --help`"),
        ("devices -x", "unknown option `-x`; see `cdev devices --help`"),
        ("devices --json=yes", "`--json` takes no value; see `cdev devices --help`"),
        ("token create --days", "`--days` needs N; see `cdev token create --help`"),
    ])
    func refused(line: String, message: String) {
        #expect {
            try parse(line)
        } throws: { error in
            let failure = error as? CommandFailure
            return failure?.status == .usage && failure?.message == message
        }
    }

    @Test func noWordIsTold() {
        #expect {
            try CommandLineParser.parse([], commands: Self.commands, environment: [:])
        } throws: { ($0 as? CommandFailure)?.message == "no command given; see `cdev --help`" }
    }
}
