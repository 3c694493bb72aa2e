import OrderedJSON

/// Makes JSON texts in every layout that people use, and in some that nobody does.
struct RandomDocument {
    private(set) var random: SeededRandom
    private let newline: String
    private let unit: String
    private let colon: String
    private let isSloppy: Bool

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        newline = ["\n", "\r\n", "", "\r"].randomElement(using: &random) ?? ""
        unit = ["  ", "    ", "\t", "", " "].randomElement(using: &random) ?? ""
        colon = [": ", ":", " : "].randomElement(using: &random) ?? ""
        isSloppy = Int.random(in: 0..<4, using: &random) == 0
    }

    mutating func text() -> String {
        let mark = pick(["", "", "", "\u{FEFF}"])
        return mark + space() + container(depth: 3, indentation: "") + pick(["", newline, newline + newline])
    }

    mutating func value(depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: .string(string())
        case 1: .number(JSONNumber(spelling: pick(["0", "-0", "1.0", "1e5", "12345678901234567890"])) ?? JSONNumber(0))
        case 2: .bool(true)
        case 3: .null
        case 4: .array((0..<Int.random(in: 0..<3, using: &random)).map { _ in value(depth: depth - 1) })
        default:
            .object(JSONObject((0..<Int.random(in: 0..<3, using: &random)).map { ("n\($0)", value(depth: depth - 1)) }))
        }
    }

    mutating func below(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &random)
    }

    private mutating func container(depth: Int, indentation: String) -> String {
        let inner = indentation + unit
        let isObject = Bool.random(using: &random) || depth == 3
        let items = (0..<below(4)).map { number in
            let item = depth > 0 && below(2) == 0 ? container(depth: depth - 1, indentation: inner) : scalar()
            return isObject ? "\"k\(number)é\"" + colon + item : item
        }
        let brackets = isObject ? ("{", "}") : ("[", "]")
        guard !items.isEmpty else { return brackets.0 + pick(["", "", " ", newline]) + brackets.1 }
        let lead = below(5) == 0 ? space() : newline + (newline.isEmpty ? "" : inner)
        let tail = below(5) == 0 ? space() : newline + (newline.isEmpty ? "" : indentation)
        return brackets.0 + lead + items.joined(separator: comma() + lead) + tail + brackets.1
    }

    private mutating func comma() -> String {
        isSloppy ? space() + "," + space() : ","
    }

    private mutating func space() -> String {
        isSloppy ? pick(["", " ", "\n", "\t \r\n", "\r"]) : ""
    }

    private mutating func scalar() -> String {
        pick(["1", "1.0", "-0", "1e5", "true", "null", "\"\"", "\"é\\u00e9\\/😀\"", "12345678901234567890"])
    }

    private mutating func string() -> String {
        pick(["", "plain", "with \"quotes\" and \\", "line\nbreak", "é😀\u{2028}"])
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &random) ?? ""
    }
}
