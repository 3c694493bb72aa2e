package import OrderedJSON

/// The table of known commands. A command without a row has no prefix rule.
package struct CommandTable: Sendable {
    /// The shipped rows and the added ones; nil if none were added.
    private let own: [String: [CommandRow]]?
    /// The rows that a person added, in their order.
    package let added: [CommandRow]

    /// - Parameter added: rows of `commands.json`, tried after the shipped ones of the same length.
    package init(adding added: [CommandRow] = []) {
        own = added.isEmpty ? nil : Self.byName(ShippedCommands.rows + added)
        self.added = added
    }

    /// Groups the rows by name, the longest key first, so that the most specific row matches first.
    private static func byName(_ rows: [CommandRow]) -> [String: [CommandRow]] {
        Dictionary(grouping: rows, by: \.name).mapValues { rows in
            rows.enumerated().sorted { one, other in
                let (length, otherLength) = (one.element.weight, other.element.weight)
                return length != otherLength ? length > otherLength : one.offset < other.offset
            }.map(\.element)
        }
    }

    /// Parsed lazily, with the first line or by `prepare`: parsing would take half of the program's start.
    private static let shippedRows = byName(ShippedCommands.rows)

    /// Parses the shipped rows now, so that the first call need not wait for that.
    package static func prepare() {
        _ = shippedRows
    }

    /// The rows that ship with the program.
    package static let shipped = CommandTable(adding: [])

    private var rows: [String: [CommandRow]] { own ?? Self.shippedRows }

    /// The rows that begin with this word, the longest key first.
    func rows(named name: String) -> [CommandRow] {
        rows[name] ?? []
    }

    /// The number of rows.
    package var count: Int { rows.values.reduce(0) { $0 + $1.count } }
}

extension CommandRow {
    fileprivate var weight: Int { words.count + keyOptions.count + (slot == nil ? 0 : 1) }
}

// MARK: - commands.json

extension CommandTable {
    /// Parses a person's rows: a list of objects with `key` and `reason`, and optionally `parser`, `reads`, `local`,
    /// `options` and `operands`. Throws for the whole file if one row is wrong: with some rows left out, calls that a
    /// person believes covered would be asked about.
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

    /// The keys of which `WiderCommands` says that one does more than another.
    package static var comparedKeys: [(lesser: String, wider: String)] { WiderCommands.pairs }

    /// The columns of the shipped rows as texts, for tests that make command lines from them.
    package static var shippedColumns: [[String]] { ShippedCommands.columns(ofLines: ShippedCommands.text) }

    /// The same for the rows of `Filters`.
    package static var filterColumns: [[String]] { ShippedCommands.columns(ofLines: Filters.text) }

    /// The shipped rows that cannot be parsed: a test checks that there are none. A missing row only causes more
    /// questions.
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
