package import OrderedJSON

/// An input read by roles instead of names.
extension Tool {
    /// It gives a file new contents, whatever there was.
    package var replacesFile: Bool { kind == .fileChanges && members[.content] != nil && members[.cell] == nil }

    /// The member that plays the role; `nil` where there is none.
    package func value(_ role: ToolRole, in input: JSON) -> JSON? {
        members[role].flatMap { input[$0] }
    }

    /// Its text; `nil` where it is none.
    package func string(_ role: ToolRole, in input: JSON) -> String? {
        value(role, in: input)?.stringValue
    }

    /// Its text; empty where it is none.
    package func text(_ role: ToolRole, in input: JSON) -> String {
        string(role, in: input) ?? ""
    }

    /// The first of these that has a text.
    package func firstText(_ roles: [ToolRole], in input: JSON) -> String? {
        roles.lazy.compactMap { string($0, in: input) }.first { !$0.isEmpty }
    }

    /// The elements of a list; empty where it is none.
    package func list(_ role: ToolRole, in input: JSON) -> [JSON] {
        value(role, in: input)?.arrayValue ?? []
    }
}
