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
    /// - Parameter cutting: The headers of the columns that a narrow terminal may cut.
    static func print(
        _ invocation: Invocation, _ result: JSON, _ header: [String], _ rows: [[String]], cutting: Set<String>,
        empty: String
    ) {
        if invocation.wantsJSON {
            Terminal.write(json(result.objectValue ?? [:]))
        } else if rows.isEmpty {
            Terminal.write(empty + "\n")
        } else {
            write(header, rows, cutting: cutting, invocation.environment)
        }
    }

    /// Writes a table in the colours and the width of the terminal, if it is one.
    static func write(
        _ header: [String], _ rows: [[String]], cutting: Set<String>, _ environment: [String: String]
    ) {
        let paint = Paint(environment)
        let table = Table.text(header, rows, columns: TerminalLines.columns, cutting: cutting) { cell, isHeader in
            isHeader ? paint.dim(cell) : paint.cell(cell)
        }
        Terminal.write(table)
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
