import Text

/// Classes of bytes and characters in a command line.
package enum ShellCharacters {
    /// A byte that a first word may contain. Any other byte there may be a variable, glob, brace, tilde or assignment.
    package static func isFirstWord(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte)
    }

    /// A byte that has no special meaning anywhere in an unquoted word.
    static func isOrdinary(_ byte: UInt8) -> Bool {
        isFirstWord(byte) || byte >= 0x80 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "%")
    }

    /// A byte that has no special meaning inside double quotes.
    static func isQuotable(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "`"): false
        default: true
        }
    }

    /// A byte that ends an unquoted word.
    static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "|"),
            UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }

    /// The byte offset of the first control or hidden character; nil where there is none.
    static func firstHidden(in text: String) -> Int? {
        firstHidden(in: text, Array(text.utf8))
    }

    /// - Parameter bytes: the bytes of `text`; reading an array is faster.
    static func firstHidden(in text: String, _ bytes: [UInt8]) -> Int? {
        if let control = bytes.firstIndex(where: isControl) { return control }
        return bytes.contains { $0 >= 0x80 } ? firstHiddenScalar(in: text) : nil
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x0A && byte != 0x09) || byte == 0x7F
    }

    private static func firstHiddenScalar(in text: String) -> Int? {
        for index in text.unicodeScalars.indices where isHidden(text.unicodeScalars[index]) {
            return text.utf8.distance(from: text.startIndex, to: index)
        }
        return nil
    }

    /// True for hidden characters beyond ASCII. In a command an emoji's variation selector counts too.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 && (scalar.isHidden || scalar.value == 0xFE0F)
    }
}
