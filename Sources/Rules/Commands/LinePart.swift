/// The rule that one command of a line needs to be settled.
enum PartVerdict {
    /// The command needs a rule with this key.
    case keyed(CommandKey)
    /// The command needs no rule next to commands that need one. In a line of such commands alone, one of their keys is
    /// needed.
    case free(CommandKey?)
    /// The command has no key, so only a rule for the exact line settles it.
    case exact(Refusal)
}

/// A command of a line, with its verdict.
struct LinePart {
    let command: SimpleCommand
    let verdict: PartVerdict
}

/// Evaluates a line's commands by the table, from left to right.
struct LineReader {
    let root: SessionRoot
    private var place: Place
    private var isBehindCD = false

    static func parts(of commands: [SimpleCommand], on root: SessionRoot) -> [LinePart] {
        var reader = LineReader(root: root, place: root.start)
        return commands.enumerated().map { index, command in
            LinePart(command: command, verdict: reader.verdict(of: command, index, in: commands))
        }
    }

    /// The most words of a command that gets a key.
    static let mostWords = 200

    private mutating func verdict(of command: SimpleCommand, _ index: Int, in commands: [SimpleCommand]) -> PartVerdict
    {
        do throws(Refusal) {
            guard command.words.count <= Self.mostWords else { throw .tooManyWords }
            guard root.disk.spend(bytes: 0) else { throw .tooMuch }
            if PathText.same(command.name, "cd") {
                place = try enter(command, index, commands)
                isBehindCD = true
                return .free(nil)
            }
            if command.before == .pipe {
                try Filters.check(command, in: place)
                return .free(nil)
            }
            if FreeCommands.isPipefail(command) { return .free(nil) }
            return try ordinary(command)
        } catch {
            return .exact(error)
        }
    }

    private mutating func ordinary(_ command: SimpleCommand) throws(Refusal) -> PartVerdict {
        let key = try KeyFinder.key(of: command.words, in: place)
        if key.row.bringsFiles(command.words) { place = place.changed }
        if key.row.makesNames { place = place.withMore }
        guard FreeCommands.contains(command.name) else { return .keyed(key) }
        // After `cd DIR && … ;` the command runs in the old directory if `cd` failed.
        if isBehindCD, command.before == .semicolon { _ = try KeyFinder.key(of: command.words, in: root.start) }
        return .free(key)
    }

    /// The place after `cd DIR`. Throws unless `cd DIR &&` begins the line, followed only by `&&`, `|` and a last `;
    /// echo …`.
    private func enter(_ command: SimpleCommand, _ index: Int, _ commands: [SimpleCommand]) throws(Refusal) -> Place {
        guard index == 0, command.words.count == 2, !command.isRedirected, command.after == .and else {
            throw .changeOfDirectory
        }
        for next in commands.dropFirst() where next.before != .and && next.before != .pipe {
            let isLastEcho = next.before == .semicolon && next.after == .edge && PathText.same(next.name, "echo")
            guard isLastEcho else { throw .changeOfDirectory }
        }
        return try place.enter(command.words[1])
    }
}

/// Commands without effect beyond their output or status.
enum FreeCommands {
    private static let names = ["echo", "pwd", "true"]

    /// True if the command is exactly `set -o pipefail`, which makes a pipeline fail if any of its commands fails.
    static func isPipefail(_ command: SimpleCommand) -> Bool {
        command.words.map(\.unquoted) == ["set", "-o", "pipefail"] && command.prefix.isEmpty
            && !command.isRedirected && command.after != .pipe
    }

    static func contains(_ name: String) -> Bool {
        names.contains { PathText.same($0, name) }
    }
}
