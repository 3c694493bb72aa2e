package import OrderedJSON
import Rules
import Text

/// `confirm` of the configuration: calls that nobody can allow with one tap. Their allow must carry a word that the
/// person types, and no rule allows them. This prevents mistakes, not theft: whoever has a device that may decide can
/// type the word too.
package struct ConfirmList: Sendable, Hashable {
    fileprivate enum Entry: Hashable {
        /// `Bash(word)`
        case command(word: String)
        /// `mcp__server` and `mcp__…*`: every tool whose name begins with the prefix.
        case prefix(String)
        case tool(String)
    }

    private let entries: [Entry]

    /// Nothing has to be confirmed.
    package init() {
        entries = []
    }

    /// - Parameter spellings: Each is `Tool`, `Bash(word)`, `mcp__server`, `mcp__server__tool`, or one of the latter
    ///   two with a `*` at its end. The result is `nil` where one is anything else: an entry that silently matches
    ///   nothing would be worse than an error.
    package init?(_ spellings: [String]) {
        let entries = spellings.map(Self.entry)
        guard !entries.contains(nil) else { return nil }
        self.entries = entries.compactMap { $0 }
    }

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

    /// Returns the word that must be typed to allow this call: the first listed word of the command, else the tool's
    /// name; `nil` where none is needed.
    package func prompt(for tool: String, input: @autoclosure () -> JSON) -> String? {
        guard !entries.isEmpty else { return nil }
        let line = tool == "Bash" ? input()["command"]?.stringValue : nil
        if let line {
            for case .command(let word) in entries {
                if let found = CommandMention.firstWord(of: line, naming: word) { return found }
            }
        }
        guard entries.contains(where: { $0.isWhole(tool) }) else { return nil }
        return line.flatMap(CommandMention.firstWord) ?? tool
    }

    /// The same for an input that is not read: a Bash line may hold any listed word.
    package func promptUnseen(for tool: String) -> String? {
        prompt(for: tool, input: .null) ?? (tool == "Bash" && !entries.isEmpty ? tool : nil)
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

extension ConfirmList.Entry {
    fileprivate func isWhole(_ tool: String) -> Bool {
        switch self {
        case .command: false
        case .prefix(let start): tool.hasPrefix(start)
        case .tool(let name): tool == name
        }
    }
}
