/// The words of a command that are a line for some shell, or may be one.
enum TextOperands {
    /// A word, or what stands in it behind an option's or a variable's name.
    struct Text {
        let line: String
        /// True if a shell is known to get it. Nobody knows what other programs do with what they get.
        let isCertain: Bool
    }

    /// - Parameter words: a command as it stands.
    static func texts(in words: [String]) -> [Text] {
        let mayHaveText = words.dropFirst().contains { mayBeText($0, marks) || $0.utf8.starts(with: "alias.".utf8) }
        guard mayHaveText, let roles = Roles(words) else { return [] }
        let words = roles.words
        var texts: [Text] = []
        // The last word that is no option: `foreach --recursive 'git push'`.
        var front = ""
        for place in words.indices {
            let word = words[place]
            if place > 0, mayBeText(word, marks) {
                let isCertain = roles.isCertain(at: place, behind: front)
                if let alias = alias(word) { texts.append(Text(line: alias, isCertain: isCertain)) }
                if isCertain || roles.passed.mayRun(at: place) { texts += self.texts(of: word, isCertain: isCertain) }
            }
            // `git config alias.p push`
            if front.utf8.starts(with: "alias.".utf8), place > 0, words[place - 1] == front {
                texts.append(Text(line: "git " + word, isCertain: false))
            }
            if word.utf8.first != UInt8(ascii: "-") { front = word }
        }
        return texts
    }

    /// The words of several that a program may run in whatever language, unless it is known to hand texts to a shell.
    /// - Parameter words: a command as it stands.
    static func unknown(in words: [String]) -> [String] {
        guard words.dropFirst().contains(where: { mayBeText($0, marks) }), let roles = Roles(words),
            roles.start == nil
        else { return [] }
        return roles.words.indices.dropFirst().filter {
            mayBeText(roles.words[$0], marks) && roles.passed.mayRun(at: $0)
        }.map { roles.words[$0] }
    }

    /// The roles that the words of a command have for its programs.
    private struct Roles {
        let words: [String]
        /// The place of the program that hands texts to a shell.
        let start: Int?
        let passed: PassedTexts

        init?(_ command: [String]) {
            words = FilledPlaces.filled(command) ?? command
            guard let name = DeniedCommand.innermost(of: words).first else { return nil }
            let isGit = TextOperands.isGit(name)
            let isHarmless = Launchers.takesText(DeniedCommand.baseName(name)) && !isGit
            // Behind a program of which the texts are known, those of the words count that it is known to run.
            passed = PassedTexts(words, isHarmless ? 0 : placeOfKnown(words, isGit: isGit))
            start = isHarmless ? nil : words.firstIndex(where: Launchers.evaluates)
        }

        func isCertain(at place: Int, behind front: String) -> Bool {
            start.map { place > $0 && isText(words, at: place, of: $0, behind: front) } ?? false
        }
    }

    /// The command of git that an alias names: `alias.p=push`.
    private static func alias(_ word: String) -> String? {
        guard word.utf8.starts(with: "alias.".utf8), let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        return "git " + String(decoding: word.utf8[sign...].dropFirst(), as: UTF8.self)
    }

    private static func isGit(_ word: String) -> Bool { DeniedCommand.baseName(word) == "git" }

    private static func placeOfKnown(_ words: [String], isGit: Bool) -> Int? {
        if isGit { return words.firstIndex(where: self.isGit) }
        return Launchers.places(in: words[...]).first { Launchers.takesText(DeniedCommand.baseName(words[$0])) }
    }

    /// True for a word that the program at `start` hands to a shell.
    private static func isText(_ words: [String], at place: Int, of start: Int, behind front: String) -> Bool {
        if Launchers.evaluatesAll(words[start]) { return true }
        let (word, before) = (words[place], words[place - 1])
        if Launchers.startsOfText.contains(where: word.isOption) || isBundle(word) { return true }
        return Launchers.startsOfText.contains(before) || Launchers.startsOfText.contains(front) || isBundle(before)
    }

    /// True for letters behind `-` of which one takes a text: `-ix`, `-yc'…'`.
    private static func isBundle(_ word: String) -> Bool {
        let letters = word.utf8.dropFirst().prefix(mostLetters).prefix { !" \t\n".utf8.contains($0) }
        return word.utf8.first == UInt8(ascii: "-") && letters.first != UInt8(ascii: "-")
            && letters.contains { "cx".utf8.contains($0) }
    }

    /// The word, and what stands in it behind the name of an option or a variable: `--call=…`, `-lc…`, `alias.x=!…`.
    static func texts(of word: String, isCertain: Bool) -> [Text] {
        guard mayBeText(word, isCertain ? marks : separators) else { return [] }
        let bytes = Array(word.utf8)
        return starts(in: bytes).map {
            Text(line: String(decoding: bytes[$0...], as: UTF8.self), isCertain: isCertain)
        }
    }

    /// A plain word is no text.
    private static func mayBeText(_ word: String, _ marks: String) -> Bool {
        word.utf8.contains(where: marks.utf8.contains)
    }

    private static let separators = " \t\n;&|"
    private static let marks = separators + "(<>`$\\'\"="

    /// The places where the line may begin. A `!`, `:` or `+` in front tells an editor or git that one follows.
    private static func starts(in bytes: [UInt8]) -> [Int] {
        let token = bytes.prefix(longestName).prefix { !" \t\n'\"".utf8.contains($0) }
        var starts = [0]
        if token.first == UInt8(ascii: "-"), token.dropFirst().first != UInt8(ascii: "-") {
            let letters = token.dropFirst().prefix(mostLetters).prefix(while: ShellCharacters.isAlphanumeric)
            starts += letters.indices.map { $0 + 1 }
        }
        starts += token.indices.filter { token[$0] == UInt8(ascii: "=") }.prefix(mostSigns).map { $0 + 1 }
        let lines = starts.map { start in
            bytes[start...].firstIndex { !"!:+@".utf8.contains($0) } ?? bytes.count
        }
        return Set(lines).filter { $0 < bytes.count }.sorted()
    }

    /// The most letters in front of a text that is attached to the last of them.
    private static let mostLetters = 6
    /// The most signs in front of a text: `--checkpoint-action=exec=…`.
    private static let mostSigns = 3
    /// The longest name in front of a text.
    private static let longestName = 64
}

extension String {
    /// True for `--name=…`.
    func isOption(_ name: String) -> Bool {
        utf8.starts(with: name.utf8) && name.utf8.count > 2
            && utf8.dropFirst(name.utf8.count).first == UInt8(ascii: "=")
    }
}
