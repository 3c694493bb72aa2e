import OrderedJSON

/// Characters that a reader does not see, or that change what he sees: control characters, zero-width and
/// bidirectional ones, blanks that are no space.
///
/// Line feed and tab are layout, not hidden; an emoji's variation selector is no trick either.
enum HiddenCharacters {
    /// The entries of one card, at most.
    static let listed = 64

    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x034F: false
        case ..<0x20, 0x7F...0xA0, 0xAD: true
        case 0x034F, 0x0600...0x0605, 0x061C, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x115F...0x1160, 0x1680: true
        case 0x17B4...0x17B5, 0x180B...0x180F, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x2800: true
        case 0x3000, 0x3164, 0xFE00...0xFE0E, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
        case 0x110BD, 0x110CD, 0x13430...0x1345F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    /// The text with every hidden character as `\u{202E}`.
    static func escaped(_ text: String) -> String {
        guard mayHide(text) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                result += "\\u{\(hexadecimal(scalar))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Which are in the strings of `object`, and where: `offset` counts Unicode scalars before it. What goes beyond
    /// `listed` is counted in a last entry `{"more": n}`.
    static func list(in object: JSONObject, at path: JSONPath) -> [JSON] {
        var finder = Finder()
        finder.look(at: .object(object), path)
        return finder.more == 0 ? finder.found : finder.found + [["more": .count(finder.more)]]
    }

    private static func mayHide(_ text: String) -> Bool {
        text.utf8.contains { $0 >= 0x7F || ($0 < 0x20 && $0 != 0x0A && $0 != 0x09) }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private struct Finder {
        var found: [JSON] = []
        var more = 0

        mutating func look(at value: JSON, _ path: JSONPath) {
            switch value {
            case .string(let text): look(at: text, path)
            case .array(let elements):
                for (index, element) in elements.enumerated() where element.canHoldText {
                    look(at: element, path.element(index))
                }
            case .object(let object):
                for (key, element) in object {
                    look(at: key, path)
                    if element.canHoldText { look(at: element, path.member(key)) }
                }
            default: break
            }
        }

        private mutating func look(at text: String, _ path: JSONPath) {
            guard HiddenCharacters.mayHide(text) else { return }
            for (offset, scalar) in text.unicodeScalars.enumerated() where HiddenCharacters.isHidden(scalar) {
                guard found.count < HiddenCharacters.listed else {
                    more += 1
                    continue
                }
                let code = "U+" + HiddenCharacters.hexadecimal(scalar)
                found.append(["path": .string(path.text), "offset": .count(offset), "character": .string(code)])
            }
        }
    }
}

extension JSON {
    fileprivate var canHoldText: Bool {
        switch self {
        case .string, .array, .object: true
        default: false
        }
    }
}
