/// Denied commands among the operands of programs of which nobody knows whether they run them: `frob git push`.
final class MentionedCommands {
    private struct Place {
        let command: Int
        let word: Int
        /// The word, or the program's name in it.
        let spelling: String
        /// True for the first operand, and for a path in a text.
        let isFirst: Bool
    }

    /// The commands, without programs in front that only run what follows; those that take names and texts, or check
    /// files, left empty.
    private lazy var commands = Self.innermost(of: all) + texts.map { $0.words[...] }
    private lazy var texts = TextWords.texts(of: all, inputs)
    private lazy var places = placesByName()
    private var found: [String: [(place: Place, words: CommandWords)]] = [:]

    /// The most places of one program's name that are compared: any more may begin a denied command.
    private static let mostPlaces = 64
    /// The most words that are compared behind a place.
    private static let mostWords = 200

    private let all: [[String]]
    private let inputs: [ShellGlance.Input]

    /// - Parameter inputs: texts that the commands get beside their words. They are read once a deny asks for them.
    init(_ commands: [[String]], _ inputs: [ShellGlance.Input]) { (all, self.inputs) = (commands, inputs) }

    private static func innermost(of commands: [[String]]) -> [ArraySlice<String>] {
        commands.map { words in
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
        func add(_ place: Place) {
            places[DeniedCommand.canonical([place.spelling]).first ?? "", default: []].append(place)
        }
        let firstText = commands.count - texts.count
        for (index, command) in commands.enumerated() {
            let starts = index < firstText ? nil : texts[index - firstText].starts
            var isFirst = true
            for place in command.indices.dropFirst(starts == nil ? 1 : 0) where !Self.isOption(command[place]) {
                defer { isFirst = false }
                guard starts?.contains(place) ?? true else { continue }
                // A path in a text is the name of nothing else.
                let counts = isFirst || starts != nil && command[place].utf8.contains(UInt8(ascii: "/"))
                for spelling in Set([command[place], DeniedCommand.baseName(command[place])]) {
                    add(Place(command: index, word: place, spelling: spelling, isFirst: counts))
                }
            }
        }
        return places
    }

    private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }
}
