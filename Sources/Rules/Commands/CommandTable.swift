package import OrderedJSON

/// The table of known commands. A command that no row names has no prefix rule.
package struct CommandTable: Sendable {
    /// All rows, of a table to which a person has added some; nil: those that ship.
    private let own: [String: [CommandRow]]?
    /// Rows a person added, in their order.
    package let added: [CommandRow]

    /// - Parameter added: rows of `commands.json`, tried after the shipped ones of the same length.
    package init(adding added: [CommandRow] = []) {
        own = added.isEmpty ? nil : Self.byName(ShippedCommands.rows + added)
        self.added = added
    }

    /// The longest key first: all the words that tell one effect from another.
    private static func byName(_ rows: [CommandRow]) -> [String: [CommandRow]] {
        Dictionary(grouping: rows, by: \.name).mapValues { rows in
            rows.enumerated().sorted { one, other in
                let (length, otherLength) = (one.element.weight, other.element.weight)
                return length != otherLength ? length > otherLength : one.offset < other.offset
            }.map(\.element)
        }
    }

    /// Read when a first line is looked at, or `prepare` is called: it is half of what a start would cost.
    private static let shippedRows = byName(ShippedCommands.rows)

    /// Reads the rows that ship, for whoever has the time now rather than with the first call.
    package static func prepare() {
        _ = shippedRows
    }

    /// The rows that ship with the program.
    package static let shipped = CommandTable(adding: [])

    private var rows: [String: [CommandRow]] { own ?? Self.shippedRows }

    /// Those that begin with this word, the longest key first.
    func rows(named name: String) -> [CommandRow] {
        rows[name] ?? []
    }

    /// How many rows there are.
    package var count: Int { rows.values.reduce(0) { $0 + $1.count } }
}

extension CommandRow {
    fileprivate var weight: Int { words.count + keyOptions.count + (slot == nil ? 0 : 1) }
}

// MARK: - commands.json

extension CommandTable {
    /// Reads a person's rows: a list of objects with `key` and `reason`, and if wanted `parser`, `reads`, `local`,
    /// `options`, `operands`. One bad row refuses the file: a table half read would hold what a person believes allowed.
    package static func rows(from json: JSON) throws(CommandRowError) -> [CommandRow] {
        guard let list = json.arrayValue else {
            throw CommandRowError(key: "", message: "cannot be read: the file has to hold a list of rows")
        }
        var rows: [CommandRow] = []
        for (number, item) in list.enumerated() { rows.append(try row(from: item, number: number + 1)) }
        return rows
    }

    private static let members = ["key", "local", "operands", "options", "parser", "reads", "reason"]

    private static func row(from json: JSON, number: Int) throws(CommandRowError) -> CommandRow {
        guard let object = json.objectValue, let key = object["key"]?.stringValue else {
            throw CommandRowError(key: "#\(number)", message: "has no key: every row is an object with `key`")
        }
        for (name, value) in object {
            guard members.contains(name) else {
                throw CommandRowError(
                    key: key, message: "has an unknown member `\(name)`; known are \(members.joined(separator: ", "))")
            }
            let isFlag = name == "reads" || name == "local"
            guard isFlag ? value.boolValue != nil : value.stringValue != nil else {
                throw CommandRowError(key: key, message: "wants `\(name)` to be \(isFlag ? "true or false" : "a text")")
            }
        }
        let parserName = object["parser"]?.stringValue
        let parser = parserName.flatMap(ProgramParser.init)
        guard parserName == nil || parser != nil else {
            throw CommandRowError(
                key: key,
                message: "has a parser of no known kind: \(parserName ?? ""); known are \(ProgramParser.names)")
        }
        return try CommandRow(
            key: key, parser: parser, reads: object["reads"]?.boolValue ?? false,
            isLocal: object["local"]?.boolValue ?? false,
            options: object["options"]?.stringValue ?? "", operands: object["operands"]?.stringValue ?? "none",
            reason: object["reason"]?.stringValue ?? "")
    }
}

// MARK: - The table itself

extension CommandTable {
    /// All keys, sorted.
    package var keys: [String] { rows.values.flatMap { $0.map(\.key) }.sorted() }

    /// The texts of the shipped rows' columns, for tests that make command lines of them.
    package static var shippedColumns: [[String]] { ShippedCommands.columns(ofLines: ShippedCommands.text) }

    /// The same for the rows behind a pipe.
    package static var filterColumns: [[String]] { ShippedCommands.columns(ofLines: Filters.text) }

    /// Shipped lines that cannot be read: none, as a test sees to. A row left out only asks more.
    package static var shippedProblems: [CommandRowError] {
        (ShippedCommands.text + "\n" + Filters.text).split(separator: "\n").compactMap { line in
            do throws(CommandRowError) {
                _ = try ShippedCommands.rows(line: line)
                return nil
            } catch {
                return error
            }
        }
    }
}
