/// A tool of an agent: its name there, what it does, and which members of its input say so. Decided once, where the
/// agent's hook comes in; nobody else compares a tool's name, or knows the names in its input.
package struct Tool: Sendable, Hashable {
    /// As the agent calls it; rules and the configuration are written in these names.
    package let name: String
    package let kind: ToolKind
    package let members: ToolMembers
    /// Its name for people: what it does, or `server/tool`; `name` where nobody gave it one.
    package let title: String

    package init(name: String, kind: ToolKind, members: ToolMembers = [:], title: String? = nil) {
        self.name = name
        self.kind = kind
        self.members = members
        self.title = title ?? name
    }
}

/// What a tool does, as far as it makes a difference to a person or a program that is asked about a call.
package enum ToolKind: String, Sendable, Hashable, CaseIterable {
    case agent, fetch
    case fileChanges = "file_changes"
    case mcpTool = "mcp_tool"
    case other, plan, question, read, search
    case shellCommand = "shell_command"

    /// The call is itself a question to the user: it is asked where the agent would ask it, and no rule answers it.
    package var isForUser: Bool { self == .plan || self == .question }
}

/// Which member of a tool's input plays which role. Where a role has no member, or the input lacks it, nothing is known of
/// it; of a tool whose input nobody described, the members are guesses by their usual names, and good for a headline only.
package struct ToolMembers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private let names: [ToolRole: String]

    package init(_ names: [ToolRole: String]) {
        self.names = names
    }

    package init(dictionaryLiteral elements: (ToolRole, String)...) {
        names = Dictionary(uniqueKeysWithValues: elements)
    }

    package subscript(role: ToolRole) -> String? { names[role] }

    /// Sorted by role.
    package var all: [(role: ToolRole, name: String)] {
        names.map { ($0.key, $0.value) }.sorted { $0.role.rawValue < $1.role.rawValue }
    }
}

/// What a member of an input means, whatever the agent calls it.
package enum ToolRole: String, Sendable, Hashable, CaseIterable {
    /// Where the answers to questions go, by the question's text.
    case answers
    /// A cell of a notebook, and what becomes of it: `delete`, `insert` or `replace`.
    case cell
    case cellMode = "cell_mode"
    /// The line that a shell runs.
    case command
    /// All of a file's new text, or of a cell's.
    case content
    /// Several changes of one file; each has `old`, `new` and `everywhere`.
    case edits
    /// Each place of `old` is replaced, not only one.
    case everywhere
    /// The one file that is read or changed.
    case file
    /// What the agent says that the call is for.
    case note
    /// The text that takes the place of `old`.
    case new, old
    /// Where a search looks.
    case path
    case pattern, plan, prompt, query
    /// Questions to the user; each has `question`, and may have `header`, `multiple` and `options`, each of these `label`
    /// and `meaning`.
    case questions
    case header, label, meaning, multiple, options, question
    case selector
    /// How long the agent waits for the call.
    case timeout
    case url
}
