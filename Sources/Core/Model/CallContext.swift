import Text

/// The reasons for a call, for the person who is asked: each text has at most `longest` characters, and is `nil` where
/// nothing is known.
package struct CallContext: Sendable, Hashable {
    /// The session's title.
    package var title: String?
    /// The last prompt of the session's user.
    package var prompt: String?
    /// The agent's last words before the call, as its transcript has them.
    package var lastWords: String?

    package init(title: String? = nil, prompt: String? = nil, lastWords: String? = nil) {
        self.title = title
        self.prompt = prompt
        self.lastWords = lastWords
    }

    /// Unicode scalars of each text.
    package static let longest = 500
    /// The most scalars of a text that are looked at, since a prompt may have megabytes.
    private static let mostExamined = 4 * longest

    /// The beginning of a text in the form that people are shown; `nil` if nothing of it is visible.
    package static func beginning(of text: String) -> String? {
        let part = text.unicodeScalars.prefix(mostExamined)
        let shown = shown(part)
        let isWhole = part.endIndex == text.unicodeScalars.endIndex && shown.count <= longest
        return joined(isWhole ? shown : shown.prefix(longest - 1) + ["…"])
    }

    /// The end of a text, likewise.
    package static func end(of text: String) -> String? {
        let part = text.unicodeScalars.suffix(mostExamined)
        let shown = shown(part)
        let isWhole = part.startIndex == text.unicodeScalars.startIndex && shown.count <= longest
        return joined(isWhole ? shown : ["…"] + shown.suffix(longest - 1))
    }

    /// The text without the white space around it. Hidden characters become U+FFFD, so that no text can rearrange what
    /// is shown beside it.
    private static func shown(_ text: Substring.UnicodeScalarView) -> ArraySlice<Unicode.Scalar> {
        let scalars: [Unicode.Scalar] = text.map { $0.isHidden ? "\u{FFFD}" : $0 }
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return [] }
        return scalars[first...last]
    }

    private static func joined(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
        scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }
}
