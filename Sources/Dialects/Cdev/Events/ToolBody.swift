import Core
import OrderedJSON

/// What a tool is, for those who show its calls without knowing the names that agents use.
extension Tool {
    /// The members `kind` and `members`.
    var listing: JSONObject {
        let names = members.all.map { ($0.role.rawValue, JSON.string($0.name)) }
        return ["kind": .string(kind.rawValue), "members": .object(JSONObject(names))]
    }
}

extension Schema {
    static let toolKind = choice(ToolKind.allCases.map(\.rawValue)).named("ToolKind")

    /// As `Tool.listing` writes it.
    static let toolMembers = map(of: .string).meaning(
        "what a member of `tool_input` is, to its name there"
    ).named("ToolMembers")
}
