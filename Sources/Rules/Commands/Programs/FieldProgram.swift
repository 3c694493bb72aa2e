/// An awk program that only prints fields, numbers of lines and fixed texts: `{print $1, $NF}`, `NR>1 {print $2 ":"
/// $3}`, `/^ok/ {print}`, `{s+=$5} END {print s}`.
///
/// Every awk reads such a program alike: it has no redirection, no pipe, no `getline`, no call, and no escape in a
/// string, so a string ends at its next quote.
struct FieldProgram {
    /// The longest program in bytes.
    private static let limit = 512

    private var rest: ArraySlice<UInt8>

    static func isPlain(_ text: String) -> Bool {
        guard text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return false }
        var program = FieldProgram(rest: Array(text.utf8)[...])
        return program.sum() || program.selection()
    }

    // MARK: - Statements

    /// Reads `{s+=$5} END {print s}`. Returns false, and consumes nothing, for anything else.
    private mutating func sum() -> Bool {
        let start = rest
        if take("{"), let name = variable(), take("+="), take("$"), number(), take("}"), take("END"), take("{"),
            take("print"), variable() == name, take("}"), rest.isEmpty
        {
            return true
        }
        rest = start
        return false
    }

    /// Reads a condition, a print statement, or both.
    private mutating func selection() -> Bool {
        let hasCondition = condition()
        guard take("{") else { return hasCondition && rest.isEmpty }
        guard take("print") else { return false }
        guard !take("}") else { return rest.isEmpty }
        while item() {
            if take("}") { return rest.isEmpty }
            // Items without a comma between them are concatenated.
            _ = take(",")
        }
        return false
    }

    /// Reads `/word/`, `NR>1` or `NR>=10 && NR<=20`.
    private mutating func condition() -> Bool {
        if rest.first == UInt8(ascii: "/") { return search() }
        let start = rest
        repeat {
            guard counter(), Self.comparisons.contains(where: { take($0) }), number() else {
                rest = start
                return false
            }
        } while take("&&")
        return true
    }

    /// Longer operators come first.
    private static let comparisons = ["==", "!=", ">=", "<=", ">", "<"]

    private mutating func search() -> Bool {
        let body = rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        guard let first = body.first, first != UInt8(ascii: "="), body.allSatisfy(Self.isSearched) else { return false }
        rest = rest[body.endIndex...]
        return take("/")
    }

    private static func isSearched(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || "_ :.,@^$=-".utf8.contains(byte)
    }

    // MARK: - Printed items

    /// Reads `$3`, `$NF`, `$(NF-1)`, `NR` or `"text"`.
    private mutating func item() -> Bool {
        if rest.first == UInt8(ascii: "\"") { return text() }
        guard take("$") else { return counter() }
        if take("(") { return take("NF") && take("-") && number() && take(")") }
        return number() || counter()
    }

    private mutating func text() -> Bool {
        let body = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        rest = rest[body.endIndex...]
        return take("\"")
    }

    private mutating func counter() -> Bool { word(among: ["NF", "NR"]) != nil }

    private mutating func variable() -> String? { word(among: ["n", "s", "sum", "t", "total"]) }

    /// Reads the next name if it is one of `names`; else returns nil and consumes nothing.
    private mutating func word(among names: Set<String>) -> String? {
        let found = rest.prefix { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        let name = String(decoding: found, as: UTF8.self)
        guard names.contains(name) else { return nil }
        rest = rest[found.endIndex...]
        skipBlanks()
        return name
    }

    private mutating func number() -> Bool {
        let digits = rest.prefix(while: ShellCharacters.isDigit)
        guard !digits.isEmpty, digits.count <= 6 else { return false }
        rest = rest[digits.endIndex...]
        guard rest.first.map({ !ShellCharacters.isLetter($0) && $0 != UInt8(ascii: ".") }) ?? true else { return false }
        skipBlanks()
        return true
    }

    // MARK: - Pieces

    /// Consumes `text` and the spaces after it, if it is next. A text that ends in a letter must be a whole word.
    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        let behind = rest.dropFirst(text.utf8.count)
        if let last = text.utf8.last, ShellCharacters.isLetter(last), let next = behind.first,
            ShellCharacters.isAlphanumeric(next) || next == UInt8(ascii: "_")
        {
            return false
        }
        rest = behind
        skipBlanks()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
    }
}
