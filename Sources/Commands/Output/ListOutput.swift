import OrderedJSON

/// Writes listings, as a table or as JSON.
enum ListOutput {
    /// The version of the `--json` output, which rises when a field changes its meaning.
    static let version = 1

    static func json(_ members: JSONObject) -> String {
        var object: JSONObject = ["version": .number(JSONNumber(version))]
        for (key, value) in members { object[key] = value }
        return JSON.object(object).serialized() + "\n"
    }

    /// Writes `result` as JSON, or `rows` under `header`, or `empty` if there are no rows.
    static func print(
        _ invocation: Invocation, _ result: JSON, _ header: [String], _ rows: [[String]], empty: String
    ) {
        if invocation.wantsJSON {
            Terminal.write(json(result.objectValue ?? [:]))
        } else if rows.isEmpty {
            Terminal.write(empty + "\n")
        } else {
            Terminal.write(Table.text(header, rows))
        }
    }
}

extension JSON {
    /// A member's text for a table; empty if there is none.
    func text(_ key: String) -> String {
        switch self[key] {
        case .string(let text): text
        case .number(let number): number.spelling
        case .bool(let value): value ? "yes" : "no"
        default: ""
        }
    }

    func list(_ key: String) -> [JSON] { self[key]?.arrayValue ?? [] }
}
