/// A sed script that is one substitution: `s/old/new/g`, with `|`, `,` or `#` in place of `/`.
///
/// The delimiter stands in it three times and no more. A substitution needs three, so these are the ones, also to a sed
/// that takes a delimiter inside brackets or behind a backslash for a character: that one finds too few and stops. What
/// follows the third can only be `g`, `I` and digits: neither the flags that write and run nor a second command.
enum SubstitutionProgram {
    /// Longer scripts are not looked at.
    private static let limit = 512

    static func isPlain(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count <= limit, bytes.count > 1, bytes[0] == UInt8(ascii: "s"),
            "/|,#".utf8.contains(bytes[1]), bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") })
        else { return false }
        let parts = bytes.split(separator: bytes[1], omittingEmptySubsequences: false)
        guard parts.count == 4 else { return false }
        return parts[1...2].allSatisfy { hasPlainEscapes($0, delimiter: bytes[1]) } && parts[3].allSatisfy(isFlag)
    }

    private static func isFlag(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "g") || byte == UInt8(ascii: "I") || ShellCharacters.isDigit(byte)
    }

    /// No escape that makes a character by its number, nor one of the delimiter.
    private static func hasPlainEscapes(_ part: ArraySlice<UInt8>, delimiter: UInt8) -> Bool {
        var isEscaped = false
        for byte in part {
            if isEscaped {
                guard byte != delimiter, isEscapable(byte) else { return false }
                isEscaped = false
            } else {
                isEscaped = byte == UInt8(ascii: "\\")
            }
        }
        return !isEscaped
    }

    private static func isEscapable(_ byte: UInt8) -> Bool {
        "().*+?|[]{}^$&-\"'nstwSW".utf8.contains(byte) || (ShellCharacters.isDigit(byte) && byte != UInt8(ascii: "0"))
    }
}

/// A sed script, under `-n`, that prints lines by number: `5p`, `1,40p`, `1,5p;80,$p`.
enum LineProgram {
    static func isPlain(_ text: String) -> Bool {
        let commands = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        return commands.count <= 16
            && commands.enumerated().allSatisfy { number, command in
                isRange(number > 0 && command.first == UInt8(ascii: " ") ? command.dropFirst() : command)
            }
    }

    /// `Np`, `N,Mp`, `N,$p`.
    private static func isRange(_ command: Substring.UTF8View) -> Bool {
        guard command.last == UInt8(ascii: "p") else { return false }
        let ends = command.dropLast().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard let first = ends.first, ends.count <= 2, let last = ends.last, !first.isEmpty,
            first.allSatisfy(ShellCharacters.isDigit), !last.isEmpty
        else { return false }
        return last.allSatisfy(ShellCharacters.isDigit) || (ends.count == 2 && last.elementsEqual("$".utf8))
    }
}
