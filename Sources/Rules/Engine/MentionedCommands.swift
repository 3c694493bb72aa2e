/// Denied commands among the operands of programs of which nobody knows whether they run them: `frob git push`.
final class MentionedCommands {
    private struct Place {
        let command: Int
        let word: Int
        /// The word, or the program's name in it.
        let spelling: String
        /// True for the first operand.
        let isFirst: Bool
    }

    /// The commands, without programs in front that only run what follows; those that take names and texts, or check
    /// files, left empty.
    private let commands: [ArraySlice<String>]
    private lazy var places = placesByName()
    private var found: [String: [(place: Place, words: CommandWords)]] = [:]

    /// The most places of one program's name that are compared: any more may begin a denied command.
    private static let mostPlaces = 64
    /// The most words that are compared behind a place.
    private static let mostWords = 200

    init(_ commands: [[String]]) {
        self.commands = commands.map { words in
            let command = DeniedCommand.innermost(of: words)
            let isHarmless = command.first.map { Launchers.takesText(DeniedCommand.baseName($0)) } ?? true
            return isHarmless || FileCheckers.includes(Array(command)) ? [] : command
        }
    }

    /// True if a denied command may begin with some operand. One of a single word counts as the first operand only: later
    /// ones may be the name of anything.
    /// - Parameter command: the only command to look in.
    func contain(_ denied: [String], in command: Int? = nil) -> Bool {
        guard let name = denied.first, let named = places[name] else { return false }
        if named.count > Self.mostPlaces { return true }
        let plain = denied.filter { !Self.isOption($0) }
        return words(of: name, at: named).contains { place, words in
            (command ?? place.command) == place.command && (place.isFirst || plain.count > 1)
                && words.match(words.words.count < Self.mostWords ? denied : plain, isLoose: true)
        }
    }

    private func words(of name: String, at named: [Place]) -> [(place: Place, words: CommandWords)] {
        if let known = found[name] { return known }
        let made = named.map { place in
            let rest = commands[place.command][place.word...].prefix(Self.mostWords)
            return (place, CommandWords(DeniedCommand.canonical([place.spelling] + rest.dropFirst())))
        }
        found[name] = made
        return made
    }

    private func placesByName() -> [String: [Place]] {
        var places: [String: [Place]] = [:]
        for (index, command) in commands.enumerated() {
            var isFirst = true
            for place in command.indices.dropFirst() where !Self.isOption(command[place]) {
                for spelling in Set([command[place], DeniedCommand.baseName(command[place])]) {
                    places[DeniedCommand.canonical([spelling]).first ?? "", default: []].append(
                        Place(command: index, word: place, spelling: spelling, isFirst: isFirst))
                }
                isFirst = false
            }
        }
        return places
    }

    private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }
}
