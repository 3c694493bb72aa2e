package import Core
import Rules
import Text

/// Parses the list of calls to confirm from the configuration.
extension ConfirmList {
    /// - Parameter spellings: each `Tool`, `Bash(word)`, `mcp__server`, `mcp__server__tool` or one of the latter two
    ///   with a last `*`. `nil` if one is anything else, because an entry that matches nothing would silently not
    ///   protect.
    package init?(_ spellings: [String]) {
        let entries = spellings.map(Self.entry)
        guard !entries.contains(nil) else { return nil }
        self.init(entries: entries.compactMap { $0 })
    }

    /// The forms that the list may hold, for the error about any other.
    package static let spelling = #"a list of "Tool", "Bash(word)", "mcp__server" or "mcp__server__tool""#

    private static func entry(_ spelling: String) -> Entry? {
        if spelling.hasPrefix("Bash("), spelling.hasSuffix(")") {
            let word = String(spelling.dropFirst(5).dropLast())
            return isWord(word) && !word.utf8.contains(UInt8(ascii: "/")) ? .command(word: word) : nil
        }
        let isServer = spelling.hasPrefix("mcp__") && spelling.utf8.count > 5
        if spelling.hasSuffix("*") {
            let stem = String(spelling.dropLast())
            return isServer && isName(stem) ? .prefix(stem) : nil
        }
        guard isName(spelling), spelling != "mcp__" else { return nil }
        let isWholeServer = isServer && !spelling.dropFirst(5).holds("__")
        return isWholeServer ? .prefix(spelling + "__") : .tool(spelling)
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ShellCharacters.isFirstWord)
    }
}
