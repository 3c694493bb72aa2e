import OrderedJSON

/// Writes any input as an indented tree: `name: value`, long texts below their name. The names are foreign too, so none
/// stands where the card's own labels do.
enum TreeWriter {
    /// Deeper values are written as JSON.
    private static let deepest = 9
    /// The label of a list's element.
    private static let item = "-"

    static func write(_ value: JSON, to page: inout Document) {
        write(value, name: nil, depth: 1, to: &page)
    }

    private static func write(_ value: JSON, name: String?, depth: Int, to page: inout Document) {
        let indent = String(repeating: "  ", count: depth)
        let label = name.map { indent + ($0 == item ? $0 : page.shown($0) + ":") + " " } ?? indent
        switch value {
        case .object(let members) where !members.isEmpty && depth < deepest:
            if name != nil { page.say(label, "") }
            for (key, member) in members {
                write(member, name: key, depth: name == nil ? depth : depth + 1, to: &page)
            }
        case .array(let elements) where !elements.isEmpty && depth < deepest:
            if name != nil { page.say(label, "") }
            for element in elements { write(element, name: item, depth: depth + 1, to: &page) }
        case .string(let text) where text.utf8.count > 60 || text.utf8.contains(0x0A):
            page.say(label, "")
            page.code(text, indent: min(2 * depth + 2, 20))
        case .string(let text): page.say(label, text)
        default: page.say(label, value.serialized())
        }
    }
}

extension Document {
    /// A member's name, escaped and cut for a label.
    fileprivate func shown(_ name: String) -> String {
        let text = VisibleText(charset: .ascii).plain(name)
        return text.count > 40 ? text.prefix(39) + "~" : text
    }
}
