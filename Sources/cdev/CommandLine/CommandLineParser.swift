/// From the words of a command line to an invocation.
enum CommandLineParser {
    /// - Parameter words: the first is the whole name of a command, `token create`.
    static func parse(
        _ words: [String], commands: [Command], environment: [String: String]
    ) throws(Failure) -> Invocation {
        guard let first = words.first else { throw .usage("no command given") }
        guard let command = commands.first(where: { $0.name == first }) else {
            throw .usage("unknown command `\(first)`")
        }
        return try parse(words.dropFirst(), of: command, environment)
    }

    private static func parse(
        _ words: ArraySlice<String>, of command: Command, _ environment: [String: String]
    ) throws(Failure) -> Invocation {
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
            throw .usage("`cdev \(command.name)` \(wanted)", command)
        }
        return Invocation(command: command, operands: operands, options: options, environment: environment)
    }

    private static func option(
        _ word: String, _ rest: inout ArraySlice<String>, of command: Command, into options: inout [String: String]
    ) throws(Failure) {
        let name = word == "-h" ? "--help" : String(word.prefix { $0 != "=" })
        if name == "--help" {
            options[name] = ""
            return
        }
        guard let option = command.options.first(where: { $0.name == name }) else {
            throw .usage("unknown option `\(name)`", command)
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
