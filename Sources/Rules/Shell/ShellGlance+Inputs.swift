/// What a glance finds beside the words of commands: texts that they read, and functions in place of words.
extension ShellGlance {
    /// A text that a command gets otherwise than among its words.
    struct Input {
        enum Kind {
            case document, variable
            /// The name of a file that the command reads.
            case file
            /// A variable that is set, with its value.
            case setting
        }

        var text: String
        let kind: Kind
        /// The words of the command; empty for a variable that is set for the line.
        let command: [String]
    }

    /// Notes what the command gets, and sets variables to, whose end was read.
    mutating func noteInputs(of command: [String]) {
        for word in level.words.prefix(while: Self.isPassedOver) {
            guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            inputs.append(Input(text: word, kind: .setting, command: []))
            guard word.utf8.contains(where: Self.dividesWords) else { continue }
            let value = String(decoding: word.utf8[sign...].dropFirst(), as: UTF8.self)
            inputs.append(Input(text: value, kind: .variable, command: command))
        }
        if !level.strings.isEmpty {
            inputs.append(Input(text: level.strings.joined(separator: "\n"), kind: .document, command: command))
            level.strings.removeAll()
        }
        for file in level.files { inputs.append(Input(text: file, kind: .file, command: command)) }
        level.files.removeAll()
        // All of one command are one text, so that its words are looked at once.
        let first = level.hereDocuments.lastIndex { $0.command != nil }.map { $0 + 1 } ?? 0
        for place in level.hereDocuments.indices.dropFirst(first) {
            level.hereDocuments[place].command = command
            level.hereDocuments[place].isFurther = place > first
        }
    }

    mutating func noteText(of document: HereDocument, _ text: String) {
        if document.isFurther, let last = inputs.indices.last {
            inputs[last].text += text
        } else {
            inputs.append(Input(text: text, kind: .document, command: document.command ?? []))
        }
    }

    private static func dividesWords(_ byte: UInt8) -> Bool { " \t\n;&|".utf8.contains(byte) }

    /// True at bash's and ksh's `${ …; }` and `${|…; }`, which stand for what the commands print or answer.
    var startsFunction: Bool {
        byte(at: position) == UInt8(ascii: "$") && byte(at: position + 1) == UInt8(ascii: "{")
            && byte(at: position + 2).map { " \t\n|".utf8.contains($0) } ?? false
    }

    /// Searches `${ …; }`. Without an end nothing more of the line is read.
    mutating func function(into value: inout [UInt8]) {
        position += 3
        var other = Level()
        other.isFunction = true
        swap(&level, &other)
        nested { $0.scan() }
        swap(&level, &other)
        level.inner += other.commands
        value += Self.substituted.utf8
        if other.isFunction { giveUp() }
    }

    /// True at a brace that is a word of its own, or begins a command.
    var isLoneBrace: Bool {
        let next = byte(at: position + 1)
        let endsWord = next.map { ShellCharacters.isDelimiter($0) || " \t".utf8.contains($0) } ?? true
        return switch byte(at: position) {
        case UInt8(ascii: "}"): level.words.isEmpty || endsWord
        case UInt8(ascii: "{"): endsWord
        default: false
        }
    }

    /// Ends the function at a `}` in the place of a command. Of other braces shells make different things, so that the line is
    /// read no further.
    mutating func endsFunction() -> Bool {
        guard byte(at: position) == UInt8(ascii: "}"), level.words.isEmpty else {
            giveUp()
            return true
        }
        endCommand()
        position += 1
        level.isFunction = false
        return true
    }
}
