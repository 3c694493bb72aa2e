import Host
import OrderedJSON
import Rules

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Asks the rule engine on behalf of tests that run the real programs: a JSON object a line on stdin, one on stdout.
///
/// `{"table": true}` prints the shipped rows, `{"filters": true}` those behind a pipe, with the texts of their columns.
/// Any other request says where (`root`, `home`, `cwd`), what a person approved (`approved`, a list of lines), what comes
/// next (`next`, a list, run in `next_cwd`), and perhaps rows to add (`rows`, as in `commands.json`).
@main
enum Probe {
    static func main() {
        while let line = readLine() {
            let answer: JSON
            do {
                answer = try Question(JSON(parsing: line)).answer
            } catch {
                answer = ["error": .string("\(error)")]
            }
            print(answer.serialized())
            fflush(nil)
        }
    }
}

struct Question {
    private let json: JSON
    private let table: CommandTable

    init(_ json: JSON) throws {
        self.json = json
        table = try json["rows"].map { CommandTable(adding: try CommandTable.rows(from: $0)) } ?? .shipped
    }

    var answer: JSON {
        if json["table"] != nil { return Self.listing(CommandTable.shippedColumns) }
        if json["filters"] != nil { return Self.listing(CommandTable.filterColumns) }
        let cwd = json["cwd"]?.stringValue ?? ""
        let (before, after) = (context(in: cwd), context(in: json["next_cwd"]?.stringValue ?? cwd))
        let offered = lines("approved").map {
            RuleEngine.patterns(tool: "Bash", input: Self.call($0), context: before, paths: DiskPaths())
        }
        let allow = offered.flatMap { $0 }
        let next = lines("next")
        return [
            "patterns": .array(offered.map { .array($0.map { .string($0.text) }) }),
            "settled": .array(next.map { .bool(settles($0, allow, after)) }),
            "reads": .array(
                next.map { .bool(RuleEngine.onlyReads(line: $0, context: after, paths: DiskPaths())) }),
        ]
    }

    private func settles(_ line: String, _ allow: [Pattern], _ context: RuleContext) -> Bool {
        RuleEngine.settles(
            tool: "Bash", input: Self.call(line), allow: Set(allow), context: context, paths: DiskPaths()) != nil
    }

    private func context(in cwd: String) -> RuleContext {
        RuleContext(
            root: json["root"]?.stringValue ?? "", rootIsBroad: false, cwd: cwd,
            home: json["home"]?.stringValue ?? "", commands: table)
    }

    private func lines(_ name: String) -> [String] { json[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    private static func call(_ line: String) -> JSON { ["command": .string(line)] }

    private static func listing(_ rows: [[String]]) -> JSON {
        .array(rows.map { row in .array(row.map { .string($0) }) })
    }
}
