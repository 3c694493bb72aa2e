/// A sed script that is one substitution: `s/old/new/g`, or with `|`, `,` or `#` as the delimiter.
///
/// The script contains the delimiter exactly three times, which a substitution needs. A sed that reads a delimiter
/// inside brackets or after a backslash as a character finds too few and fails. After the third delimiter only `g`, `I`
/// and digits may follow: neither the flags that write or run, nor a second command.
enum SubstitutionProgram {
    /// The longest script in bytes.
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

    /// True if a part has only known escapes: none that gives a character by its number, and none of the delimiter.
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

/// A sed script for `sed -n` that prints lines by number: `5p`, `1,40p`, `1,5p;80,$p`.
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
