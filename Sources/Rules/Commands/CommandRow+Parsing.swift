import Text

/// Parsing of a row's columns.
extension CommandRow {
    struct Key {
        var words: [String] = []
        var slot: Slot?
        var options: [String] = []

        init(_ key: String) throws(CommandRowError) {
            for word in key.pieces(at: " ") { try add(String(word), key: key) }
            guard !words.isEmpty || slot == .file else {
                throw CommandRowError(key: key, message: "has a key without a command")
            }
            if let first = words.first, ReservedWords.all.contains(first) || CommandRow.neverKeys.contains(first) {
                throw CommandRowError(key: key, message: "begins with a word that may never have a key: \(first)")
            }
        }

        private mutating func add(_ word: String, key: String) throws(CommandRowError) {
            if word == "./FILE", words.isEmpty, slot == nil {
                slot = .file
            } else if let found = Slot(rawValue: word), slot == nil, options.isEmpty, !words.isEmpty {
                slot = found
            } else if word.utf8.first == UInt8(ascii: "-"), !words.isEmpty, slot == nil {
                options.append(word)
            } else if slot == nil, options.isEmpty || words[0].hasPrefix("python"),
                word.utf8.allSatisfy(ShellCharacters.isFirstWord),
                !word.utf8.contains(UInt8(ascii: "/")) || CommandRow.wrappers.contains(word) && words.isEmpty
            {
                // `python3 -m pytest`: every word of the key is literal, options included.
                words += options + [word]
                options = []
            } else {
                throw CommandRowError(
                    key: key, message: "has a word that cannot be part of a key, or not there: \(word)")
            }
        }
    }

    struct Options {
        var options: [String: Option] = [:]
        var takesNumber = false
        var takesAll = false
        var needsOne = false
        var anywhere = false

        init(_ text: String, key: String) throws(CommandRowError) {
            for token in text.pieces(at: " ") {
                switch token {
                case "-#": takesNumber = true
                case "all": takesAll = true
                case "one": needsOne = true
                case "anywhere": anywhere = true
                default: try add(token, key: key)
                }
            }
        }

        private mutating func add(_ token: Substring, key: String) throws(CommandRowError) {
            guard token.utf8.first == UInt8(ascii: "-"), token.utf8.count > 1, token != "--" else {
                throw CommandRowError(key: key, message: "has an option that does not begin with -: \(token)")
            }
            guard let sign = token.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                options[String(token), default: Option()].value = nil
                return
            }
            let kindText = token[token.utf8.index(after: sign)...]
            if kindText == "below" {
                options[String(token[..<sign])] = Option(readsBelow: true)
                return
            }
            guard let kind = ArgumentKind(kindText) else {
                throw CommandRowError(
                    key: key, message: "has a value of no known kind: \(kindText); known are \(ArgumentKind.names)")
            }
            let name = token[..<sign]
            let isOptional = name.utf8.last == UInt8(ascii: "?")
            if isOptional {
                options[String(name.dropLast()), default: Option()].attached = kind
            } else {
                options[String(name), default: Option()].value = kind
            }
        }
    }

    struct Operands {
        var kinds: [ArgumentKind] = []
        var repeats = false
        var behindDashes: ArgumentKind?

        init(_ text: String, key: String) throws(CommandRowError) {
            var isBehindDashes = false
            for token in text.pieces(at: " ") where token != "none" {
                if token == "--" {
                    isBehindDashes = true
                    continue
                }
                let isLast = token.hasSuffix("...")
                let name = isLast ? token.dropLast(3) : token
                guard let kind = ArgumentKind(name) else {
                    throw CommandRowError(
                        key: key, message: "has an operand of no known kind: \(name); known are \(ArgumentKind.names)")
                }
                guard isBehindDashes || !repeats else {
                    throw CommandRowError(key: key, message: "has an operand behind one that may repeat: \(name)")
                }
                if isBehindDashes {
                    behindDashes = kind
                } else {
                    kinds.append(kind)
                    repeats = isLast
                }
            }
        }
    }

    /// Scripts in a project that start a build tool, whose rows they have.
    static let wrappers: Set<String> = ["./gradlew", "./mvnw"]

    /// Commands that change the meaning of the next word, or run their operands.
    static let neverKeys: Set<String> = [
        ".", "alias", "bg", "bind", "builtin", "cd", "disown", "enable", "env", "eval", "exec", "fg", "hash", "let",
        "nohup", "noglob", "pushd", "popd", "read", "set", "setopt", "shopt", "source", "sudo", "timeout", "trap",
        "unalias", "unset", "unsetopt", "xargs",
    ]
}
