extension String {
    /// Columns that the text takes on a terminal.
    package var columns: Int {
        // Nearly all text is ASCII, where a byte is a column.
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.columns }
    }
}

extension Character {
    /// The most columns that any terminal gives the character. A terminal that joins its parts needs fewer, and the row
    /// ends early; too low a number would push a part of a command over the edge.
    var columns: Int {
        var sum = 0
        for scalar in unicodeScalars {
            if scalar.value == 0xFE0F { sum = max(sum, 2) } else { sum += scalar.columns }
        }
        return sum
    }
}

extension Unicode.Scalar {
    var columns: Int {
        if value < 0x300 { return 1 }
        if isMark { return 0 }
        return Self.isWide(value) || properties.isEmojiPresentation ? 2 : 1
    }

    /// True for a scalar that is drawn over the character before it.
    var isMark: Bool {
        switch properties.generalCategory {
        case .enclosingMark, .nonspacingMark: true
        default: false
        }
    }

    /// Wide and fullwidth by Unicode Standard Annex 11 (East Asian Width), in whole blocks; unassigned code points
    /// count as wide where the annex says so.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x1100: false
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3, 0x25FD...0x25FE: true
        case 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267F, 0x268A...0x268F, 0x2693, 0x26A1: true
        case 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE, 0x26D4, 0x26EA, 0x26F2...0x26F5, 0x26FA: true
        case 0x26FD, 0x2705, 0x270A...0x270B, 0x2728, 0x274C, 0x274E, 0x2753...0x2757, 0x2795...0x2797, 0x27B0: true
        case 0x27BF, 0x2B1B...0x2B1C, 0x2B50, 0x2B55, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4DC0...0xA4CF: true
        case 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B: true
        case 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376: true
        case 0x1F004, 0x1F0CF, 0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F320, 0x1F32D...0x1F335: true
        case 0x1F337...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7F0, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF: true
        case 0x20000...0x3FFFD: true
        default: false
        }
    }
}
