import Commands
import Testing

@Suite struct HelpTests {
    @Test func everyCommandIsInTheOverview() {
        let lines = Help.overview(CommandGroup.all, width: 1000).split(separator: "\n").map(String.init)
        for command in Command.all {
            let line = lines.first { $0.hasPrefix("  \(command.name)  ") }
            #expect(line?.hasSuffix("  " + command.summary) == true, "\(command.name)")
        }
    }

    @Test func eachCommandIsThereOnceUnderAHeading() {
        let names = Command.all.map(\.name)
        #expect(names == Set(names).sorted())
        let overview = Help.overview(CommandGroup.all, width: 1000)
        for group in CommandGroup.all {
            #expect(!group.commands.isEmpty && overview.contains("\n\(group.title)\n  \(group.commands[0].name) "))
        }
    }

    @Test func aWordThatBeginsSeveralCommandsNamesThemAll() {
        let text = Help.family("token", among: Command.all, width: 1000) ?? ""
        #expect(text.hasPrefix("usage: cdev token COMMAND\n\n  token create  make a token"))
        #expect(text.contains("\n  token list    ") && text.contains("\n  token revoke  ") && !text.contains("devices"))
        #expect(Help.family("devices", among: Command.all, width: 80) == nil, "it is a command by itself")
        #expect(Help.family("toke", among: Command.all, width: 80) == nil)
    }

    @Test(arguments: Command.all.map(\.name))
    func helpSaysHowACommandIsCalled(name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        let invocation = try CommandLineParser.parse(words + ["--help"], commands: Command.all, environment: [:])
        let command = invocation.command
        #expect(command.name == name && invocation.has("--help"))
        let text = Help.text(of: command, width: 1000)
        #expect(text.hasPrefix("usage: cdev \(name)"))
        #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."))
        for option in command.options {
            #expect(text.contains("  \(option.name)\(option.value.map { " " + $0 } ?? "")  "))
            #expect(option.name.hasPrefix("--") && !option.summary.isEmpty)
        }
        #expect(Set(command.options.map(\.name)).count == command.options.count)
    }

    @Test("no line is wider than the terminal, and no word is lost", arguments: [100, 80, 60])
    func fits(width: Int) {
        let texts = { (width: Int) in
            [Help.overview(CommandGroup.all, width: width)] + Command.all.map { Help.text(of: $0, width: width) }
                + ["token", "pair"].compactMap { Help.family($0, among: Command.all, width: width) }
        }
        for (narrow, wide) in zip(texts(width), texts(1000)) {
            #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= width || !$0.contains(" ") }, "\(narrow)")
            let words = { (text: String) in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) }
            #expect(words(narrow) == words(wide))
        }
    }
}
