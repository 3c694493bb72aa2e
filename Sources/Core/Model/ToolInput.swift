package import OrderedJSON

/// Reads an input by roles instead of names.
extension Tool {
    /// True if the tool replaces a file's whole content.
    package var replacesFile: Bool { kind == .fileChanges && members[.content] != nil && members[.cell] == nil }

    /// The member with this role; `nil` if there is none.
    package func value(_ role: ToolRole, in input: JSON) -> JSON? {
        members[role].flatMap { input[$0] }
    }

    /// The member's text; `nil` if it is not a string.
    package func string(_ role: ToolRole, in input: JSON) -> String? {
        value(role, in: input)?.stringValue
    }

    /// The member's text; empty if it is not a string.
    package func text(_ role: ToolRole, in input: JSON) -> String {
        string(role, in: input) ?? ""
    }

    /// The first of these members whose text is not empty.
    package func firstText(_ roles: [ToolRole], in input: JSON) -> String? {
        roles.lazy.compactMap { string($0, in: input) }.first { !$0.isEmpty }
    }

    /// The member's elements; empty if it is not a list.
    package func list(_ role: ToolRole, in input: JSON) -> [JSON] {
        value(role, in: input)?.arrayValue ?? []
    }
}
