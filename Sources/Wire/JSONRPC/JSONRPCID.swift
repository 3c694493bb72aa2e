package import OrderedJSON

/// The id that a response shares with its call. Numbers keep their spelling, so an id is sent back as it was received.
package enum JSONRPCID: Sendable, Hashable {
    /// A string as `JSON.idValue` gives it.
    case string(String)
    case number(JSONNumber)
    /// Allowed by the specification but discouraged in calls; the id of a response to a call without a readable id.
    case null

    /// Nil for a value that is not an id.
    package init?(_ json: JSON) {
        switch json {
        case .string, .unpaired: self = .string(json.idValue ?? "")
        case .number(let value): self = .number(value)
        case .null: self = .null
        default: return nil
        }
    }

    package var json: JSON {
        switch self {
        case .string(let value): .id(value)
        case .number(let value): .number(value)
        case .null: .null
        }
    }
}
