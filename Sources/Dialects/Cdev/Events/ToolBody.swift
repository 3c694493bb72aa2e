import Core
import OrderedJSON

/// The kind of a tool and the roles of its members, for clients that show calls without knowing any agent's tool names.
extension Tool {
    /// The members `kind` and `members`.
    var listing: JSONObject {
        let names = members.all.map { ($0.role.rawValue, JSON.string($0.name)) }
        return ["kind": .string(kind.rawValue), "members": .object(JSONObject(names))]
    }
}

extension Tool {
    /// The same and `title`: what to call the tool.
    var titledListing: JSONObject {
        var members = listing
        members["title"] = .string(title)
        return members
    }
}

extension Schema {
    static let toolKind = choice(ToolKind.allCases.map(\.rawValue)).named("ToolKind")

    /// The member `members` that `Tool.listing` writes.
    static let toolMembers = map(of: .string).meaning(
        "what a member of the input is, to its name there"
    ).named("ToolMembers")
}
