import OrderedJSON

/// What all rows found, for people or for programs.
struct Report {
    private enum Outcome {
        case found(Findings)
        case failed(String)
    }

    private var rows: [(row: Row, outcome: Outcome)] = []
    let machine: String

    init(machine: String) {
        self.machine = machine
    }

    mutating func add(_ row: Row, _ findings: Findings) {
        rows.append((row, .found(findings)))
    }

    mutating func add(_ row: Row, failure: any Error) {
        rows.append((row, .failed("\(failure)")))
    }

    // MARK: Text

    /// The last row's part.
    var lastText: String {
        guard let (row, outcome) = rows.last else { return "" }
        var text = "\n\(row.name): \(row.measures)\n    against \(row.against)\n"
        switch outcome {
        case .failed(let why): text += "    no figures: \(why)\n"
        case .found(let findings): text += Self.text(findings)
        }
        return text
    }

    private static func text(_ findings: Findings) -> String {
        var text = ""
        for figure in findings.figures {
            let p99 = figure.p99.map { "p99 \(short($0))" } ?? ""
            text +=
                "    \(padded(figure.label, 46)) \(leading(short(figure.median), 10)) \(padded(figure.unit.rawValue, 4))"
            text += " \(padded(p99, 14)) n \(figure.count)\n"
        }
        for check in findings.checks { text += "  \(mark(check)) \(padded(check.label, 46)) \(line(check))\n" }
        for note in findings.notes { text += "    note: \(note)\n" }
        return text
    }

    private static func mark(_ check: Findings.Check) -> String {
        check.isMet.map { $0 ? "+" : "!" } ?? " "
    }

    private static func line(_ check: Findings.Check) -> String {
        let value = "\(leading(short(check.value), 10)) \(padded(check.unit.rawValue, 4))"
        switch check.limit {
        case .atMost(let limit): return value + " goal ≤ \(short(limit))\(check.isMet == true ? "" : "  MISSED")"
        case .atLeast(let limit): return value + " goal ≥ \(short(limit))\(check.isMet == true ? "" : "  MISSED")"
        case .none: return value
        }
    }

    // MARK: JSON

    var json: JSON {
        let members = rows.map { row, outcome -> JSON in
            var pairs: [(String, JSON)] = [
                ("name", .string(row.name)), ("measures", .string(row.measures)), ("against", .string(row.against)),
            ]
            switch outcome {
            case .failed(let why): pairs.append(("no_figures", .string(why)))
            case .found(let findings): pairs += Self.members(findings)
            }
            return .object(JSONObject(pairs))
        }
        return ["version": 1, "machine": .string(machine), "rows": .array(members)]
    }

    private static func members(_ findings: Findings) -> [(String, JSON)] {
        [
            ("figures", .array(findings.figures.map(json))), ("checks", .array(findings.checks.map(json))),
            ("notes", .array(findings.notes.map(JSON.string))),
        ]
    }

    private static func json(_ figure: Findings.Figure) -> JSON {
        [
            "label": .string(figure.label), "unit": .string(figure.unit.rawValue), "median": number(figure.median),
            "p99": figure.p99.map(number) ?? nil, "n": .init(integerLiteral: figure.count),
        ]
    }

    private static func json(_ check: Findings.Check) -> JSON {
        let goal: JSON =
            switch check.limit {
            case .atMost(let limit): ["at_most": number(limit)]
            case .atLeast(let limit): ["at_least": number(limit)]
            case .none: nil
            }
        return [
            "label": .string(check.label), "unit": .string(check.unit.rawValue), "value": number(check.value),
            "goal": goal, "met": check.isMet.map { .init(booleanLiteral: $0) } ?? nil,
        ]
    }

    private static func number(_ value: Double) -> JSON {
        .init(floatLiteral: value)
    }
}

/// Three significant figures, whole numbers from a hundred on.
func short(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let size = abs(value)
    if size >= 100 { return String(Int(value.rounded())) }
    let places = size >= 10 ? 1 : size >= 1 ? 2 : 3
    let scale = [1.0, 10, 100, 1000][places]
    let scaled = Int((size * scale).rounded())
    let fraction = String(scaled % Int(scale))
    return (value < 0 ? "-" : "") + "\(scaled / Int(scale))."
        + String(repeating: "0", count: places - fraction.count) + fraction
}

private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

private func leading(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
