/// The steps from the root of a document to one value: `["hooks", "PreToolUse", 0]`.
package typealias JSONPath = [JSONPathStep]

package enum JSONPathStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case key(String)
    case index(Int)

    package init(stringLiteral value: String) {
        self = .key(value)
    }

    package init(integerLiteral value: Int) {
        self = .index(value)
    }
}

extension JSONPath {
    /// The path for messages: `hooks.PreToolUse[0]`, or "the top level" for the root.
    package var described: String {
        guard !isEmpty else { return "the top level" }
        return reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += (text.isEmpty ? "" : ".") + key
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
