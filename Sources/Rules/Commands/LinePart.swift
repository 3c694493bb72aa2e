/// What one command of a line is worth.
enum PartVerdict {
    /// It needs a rule with this key.
    case keyed(CommandKey)
    /// It needs no rule where others stand beside it; some have a key all the same.
    case free(CommandKey?)
    /// It has no key: the line is exact.
    case exact(Refusal)
}

/// A command of a line, with what is known about it.
struct LinePart {
    let command: SimpleCommand
    let verdict: PartVerdict
}

/// Reads a line's commands against the table, from left to right.
struct LineReader {
    let ground: Ground
    private var place: Place
    private var isBehindCD = false

    static func parts(of commands: [SimpleCommand], on ground: Ground) -> [LinePart] {
        var reader = LineReader(ground: ground, place: ground.start)
        return commands.enumerated().map { index, command in
            LinePart(command: command, verdict: reader.verdict(of: command, index, in: commands))
        }
    }

    /// Of one command; a longer one has no key.
    static let mostWords = 200

    private mutating func verdict(of command: SimpleCommand, _ index: Int, in commands: [SimpleCommand]) -> PartVerdict
    {
        do throws(Refusal) {
            guard command.words.count <= Self.mostWords else { throw .tooManyWords }
            guard ground.disk.spend(bytes: 0) else { throw .tooMuch }
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
        // Behind `cd DIR && … ;` it runs where `cd` failed, too.
        if isBehindCD, command.before == .semicolon { _ = try KeyFinder.key(of: command.words, in: ground.start) }
        return .free(key)
    }

    /// `cd DIR &&` begins the line; after it only `&&` and `|`, and a last `; echo …`.
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

/// Commands that only say something.
enum FreeCommands {
    private static let names = ["echo", "pwd", "true"]

    /// `set -o pipefail`, these very words and nothing with them: a pipe then fails where any of its commands does.
    static func isPipefail(_ command: SimpleCommand) -> Bool {
        command.words.map(\.unquoted) == ["set", "-o", "pipefail"] && command.passedOver.isEmpty
            && !command.isRedirected && command.after != .pipe
    }

    static func contains(_ name: String) -> Bool {
        names.contains { PathText.same($0, name) }
    }
}
