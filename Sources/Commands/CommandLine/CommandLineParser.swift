/// Parses the words of a command line.
package enum CommandLineParser {
    /// - Parameter words: all words after the program's name.
    package static func parse(
        _ words: [String], commands: [Command], environment: [String: String]
    ) throws(CommandFailure) -> Invocation {
        guard let first = words.first else { throw .usage("no command given") }
        let family = commands.filter { $0.name.hasPrefix(first + " ") }
        if words.count > 1, let member = family.first(where: { $0.name == "\(first) \(words[1])" }) {
            return try parse(words.dropFirst(2), of: member, among: commands, environment)
        }
        if let command = commands.first(where: { $0.name == first }) {
            return try parse(words.dropFirst(), of: command, among: commands, environment)
        }
        guard let example = family.first else {
            throw .usage("unknown command `\(first)`", meant: Nearest.word(first, among: names(of: commands)))
        }
        guard words.count > 1, ["--help", "-h"].contains(words[1]) else {
            let meant = words.count > 1 ? Nearest.word("\(first) \(words[1])", among: family.map(\.name)) : nil
            throw .usage("`cdev \(first)` is one of `\(family.map(\.name).joined(separator: "`, `"))`", meant: meant)
        }
        return try parse(["--help"], of: example, among: commands, environment)
    }

    /// The names of commands, and the first words of those that have two.
    private static func names(of commands: [Command]) -> [String] {
        commands.map(\.name) + commands.compactMap { $0.name.split(separator: " ").first.map(String.init) }
    }

    private static func parse(
        _ words: ArraySlice<String>, of command: Command, among commands: [Command], _ environment: [String: String]
    ) throws(CommandFailure) -> Invocation {
        var operands: [String] = []
        var options: [String: String] = [:]
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                operands.append(word)
                continue
            }
            try option(word, &rest, of: command, into: &options)
        }
        guard options["--help"] != nil || command.operandCount.contains(operands.count) else {
            let wanted = command.operands.isEmpty ? "takes no operand" : "takes \(command.operands)"
            let family = commands.map(\.name).filter { $0.hasPrefix(command.name + " ") }
            let meant = operands.first.flatMap { Nearest.word("\(command.name) \($0)", among: family) }
            throw .usage("`cdev \(command.name)` \(wanted)", command, meant: meant)
        }
        return Invocation(command: command, operands: operands, options: options, environment: environment)
    }

    private static func option(
        _ word: String, _ rest: inout ArraySlice<String>, of command: Command, into options: inout [String: String]
    ) throws(CommandFailure) {
        let name = word == "-h" ? "--help" : String(word.prefix { $0 != "=" })
        if name == "--help" {
            options[name] = ""
            return
        }
        guard let option = command.options.first(where: { $0.name == name }) else {
            throw .usage(
                "unknown option `\(name)`", command, meant: Nearest.word(name, among: command.options.map(\.name)))
        }
        let inline = word.contains("=") ? String(word.drop { $0 != "=" }.dropFirst()) : nil
        guard let placeholder = option.value else {
            guard inline == nil else { throw .usage("`\(name)` takes no value", command) }
            options[name] = ""
            return
        }
        guard let value = inline ?? rest.popFirst() else { throw .usage("`\(name)` needs \(placeholder)", command) }
        options[name] = value
    }
}
