import Core
import OrderedJSON
import Text

/// Shows hidden characters (see `Unicode.Scalar.isHidden`) in texts and lists them for a card.
enum HiddenCharacters {
    /// The most entries that one card lists.
    static let listed = 64

    /// The text with every hidden character as `\u{202E}`.
    static func escaped(_ text: String) -> String {
        guard mayHide(text) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isHidden {
                result += "\\u{\(scalar.number)}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Lists the hidden characters in the strings of `object` with their places; `offset` counts the Unicode scalars
    /// before the character. Those beyond `listed` are only counted, in a last entry `{"more": n}`.
    static func list(in object: JSONObject, at path: JSONPath) -> [JSON] {
        var finder = Finder()
        finder.look(at: .object(object), path)
        return finder.more == 0 ? finder.found : finder.found + [["more": .count(finder.more)]]
    }

    private static func mayHide(_ text: String) -> Bool {
        text.utf8.contains { $0 >= 0x7F || ($0 < 0x20 && $0 != 0x0A && $0 != 0x09) }
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
            for (offset, scalar) in text.unicodeScalars.enumerated() where scalar.isHidden {
                guard found.count < HiddenCharacters.listed else {
                    more += 1
                    continue
                }
                let code = "U+" + scalar.number
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
