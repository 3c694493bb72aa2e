package import OrderedJSON

/// What ties an answer to its call. Numbers keep their spelling, so an id goes back as it came.
package enum JSONRPCID: Sendable, Hashable {
    /// A string as `JSON.idValue` gives it.
    case string(String)
    case number(JSONNumber)
    /// Allowed by the specification and discouraged; also the id of an answer to what had no readable one.
    case null

    /// nil for a value that is no id.
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
