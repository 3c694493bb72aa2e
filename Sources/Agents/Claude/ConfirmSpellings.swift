package import Core
import Rules
import Text

/// Reads the list as a person writes it in the configuration.
extension ConfirmList {
    /// - Parameter spellings: each `Tool`, `Bash(word)`, `mcp__server`, `mcp__server__tool` or one of the latter two with
    ///   a last `*`. `nil` where one is anything else: a guard that silently guards nothing is worse than none.
    package init?(_ spellings: [String]) {
        let entries = spellings.map(Self.entry)
        guard !entries.contains(nil) else { return nil }
        self.init(entries: entries.compactMap { $0 })
    }

    /// Says what the list may hold, in the error for anything else.
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
