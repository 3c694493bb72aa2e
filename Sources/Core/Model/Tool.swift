/// A tool of an agent: its name, its kind, and the roles of its input's members. Determined once, where the agent's
/// hook comes in; no other code compares a tool's name, or knows names in its input.
package struct Tool: Sendable, Hashable {
    /// The agent's name for it; rules and the configuration use these names.
    package let name: String
    package let kind: ToolKind
    package let members: ToolMembers
    /// The tool's name for people: its action, or `server/tool`; equal to `name` if it has no other.
    package let title: String

    package init(name: String, kind: ToolKind, members: ToolMembers = [:], title: String? = nil) {
        self.name = name
        self.kind = kind
        self.members = members
        self.title = title ?? name
    }
}

/// The kind of a tool, as far as it makes a difference to a person or program that is asked about a call.
package enum ToolKind: String, Sendable, Hashable, CaseIterable {
    case agent, fetch
    case fileChanges = "file_changes"
    case mcpTool = "mcp_tool"
    case other, plan, question, read, search
    case shellCommand = "shell_command"

    /// True if the call itself asks the user something: it is asked where the agent would ask it, and no rule answers
    /// it.
    package var isForUser: Bool { self == .plan || self == .question }
}

/// The names of the members of a tool's input, by role. If a role has no member, or the input lacks it, nothing is
/// known. For a tool that is not described the names are guesses, good for a headline only.
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

/// The meaning of a member of an input, whatever the agent calls it.
package enum ToolRole: String, Sendable, Hashable, CaseIterable {
    /// The answers to questions, keyed by the question's text.
    case answers
    /// A cell of a notebook, and its change: `delete`, `insert` or `replace`.
    case cell
    case cellMode = "cell_mode"
    /// The line that a shell runs.
    case command
    /// All of a file's new text, or of a cell's.
    case content
    /// Several changes of one file; each has `old`, `new` and `everywhere`.
    case edits
    /// Replace every occurrence of `old`, not only one.
    case everywhere
    /// The one file that is read or changed.
    case file
    /// The first line that is read, from 1.
    case line
    /// The agent's own words about the purpose of the call.
    case note
    /// The text that takes the place of `old`.
    case new, old
    /// The directory that a search covers.
    case path
    case pattern, plan, prompt, query
    /// Questions to the user; each has `question`, and may have `header`, `multiple` and `options`, each of these `label`
    /// and `meaning`.
    case questions
    case header, label, meaning, multiple, options, question
    case selector
    /// The agent's time limit for the call.
    case timeout
    case url
}
