package import OrderedJSON
import Rules

/// `confirm` of the configuration: calls that nobody can allow with one tap. Their allow must carry a word that the
/// person types, and no rule allows them. This prevents mistakes, not theft: a thief with a device that may decide can
/// type the word too.
package struct ConfirmList: Sendable, Hashable {
    package enum Entry: Sendable, Hashable {
        /// A line of the shell that runs this word.
        case command(word: String)
        /// Every tool whose name begins with the prefix.
        case prefix(String)
        case tool(String)
    }

    private let entries: [Entry]
    private let words: [String]

    /// Nothing has to be confirmed.
    package init() {
        self.init(entries: [])
    }

    package init(entries: [Entry]) {
        self.entries = entries
        words = entries.compactMap { if case .command(let word) = $0 { word } else { nil } }
    }

    /// Returns the word that must be typed to allow this call: the first listed word of the command, else the tool's
    /// name; `nil` if none is needed.
    package func prompt(for tool: Tool, input: @autoclosure () -> JSON) -> String? {
        guard !entries.isEmpty else { return nil }
        let line = tool.kind == .shellCommand ? tool.string(.command, in: input()) : nil
        if let line, let found = CommandMention.firstWord(of: line, naming: words) { return found }
        guard entries.contains(where: { $0.isWhole(tool.name) }) else { return nil }
        return line.flatMap(CommandMention.firstWord) ?? tool.name
    }

    /// The same for an input that is not read: a line of the shell may hold any listed word.
    package func promptUnseen(for tool: Tool) -> String? {
        prompt(for: tool, input: .null) ?? (tool.kind == .shellCommand && !entries.isEmpty ? tool.name : nil)
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
