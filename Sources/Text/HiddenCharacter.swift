extension Unicode.Scalar {
    /// True for a character that a reader does not see, or that changes the order of what a reader sees: control,
    /// format (zero-width and bidirectional ones among them), default-ignorable, private-use and unassigned characters,
    /// and blanks other than the space (Unicode Standard, chapters 5.21 and 23).
    ///
    /// Line feed and tab are layout. The variation selector of an emoji (U+FE0F) is common and changes no letter.
    package var isHidden: Bool {
        switch value {
        // Most texts consist of these characters alone, and looking up a property takes 30 ns.
        case 0x09, 0x0A, 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x034F, 0x3400..<0xA000, 0xAC00..<0xD7A4, 0xFE0F: false
        // U+2800, the blank Braille pattern, has the category of a symbol.
        case ..<0x20, 0x7F...0xA0, 0x2800: true
        default: isHiddenByItsProperties
        }
    }

    /// The number of the character, in at least four upper-case hexadecimal digits: `202E`.
    package var number: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private var isHiddenByItsProperties: Bool {
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .spaceSeparator, .surrogate,
            .unassigned:
            return true
        default: return false
        }
    }
}
