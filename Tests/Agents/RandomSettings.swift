import OrderedJSON

/// The same numbers in every run (SplitMix64), so that a failure can be seen again.
struct SettingsRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Settings files as people have them, in every layout.
struct RandomSettings {
    private var random: SettingsRandom
    private let newline: String
    private let unit: String
    private let colon: String
    private let isSloppy: Bool

    init(seed: Int) {
        random = SettingsRandom(state: UInt64(seed))
        newline = ["\n", "\n", "\r\n", "", "\r"].randomElement(using: &random) ?? ""
        unit = ["  ", "    ", "\t", ""].randomElement(using: &random) ?? ""
        colon = [": ", ":", " : "].randomElement(using: &random) ?? ""
        isSloppy = Int.random(in: 0..<4, using: &random) == 0
    }

    /// Nil stands for a file that is not there.
    mutating func text() -> String? {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return nil
        case 1: return pick(["", "\n", " \r\n\t", "\u{FEFF}"])
        default: return pick(["", "", "", "\u{FEFF}"]) + space() + root() + pick(["", newline, "\n\n"])
        }
    }

    private mutating func root() -> String {
        var members: [(String, String)] = []
        if chance(2) { members.append(("model", pick(["\"opus\"", "\"é😀\\u00e9\\/\""]))) }
        if chance(2) { members.append(("n", pick(["1.0", "1e5", "-0", "12345678901234567890", "null"]))) }
        if chance(2) { members.append(("hooks", hooks(unit))) }
        if chance(2) {
            members.append(("permissions", object([("allow", list(["\"Bash(ls:*)\""], unit + unit))], unit)))
        }
        if chance(9) { members.append(("model", "\"twice\"")) }
        return object(members, "")
    }

    private mutating func hooks(_ outer: String) -> String {
        let names = ["PreToolUse", "Stop", "PreCompact", "_note", "UserPromptSubmit"].shuffled(using: &random)
        var members: [(String, String)] = []
        for name in names.prefix(Int.random(in: 0...4, using: &random)) {
            members.append((name, name == "_note" ? "\"mine\"" : groups(outer + unit)))
        }
        return object(members, outer)
    }

    private mutating func groups(_ outer: String) -> String {
        let inner = outer + unit
        let groups = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            var members = [("hooks", list([entry(inner + unit + unit)], inner + unit))]
            if chance(2) { members.insert(("matcher", "\"Bash|Edit\""), at: 0) }
            if chance(4) { members.append(("custom", "true")) }
            return object(members, inner)
        }
        return list(groups, outer)
    }

    private mutating func entry(_ outer: String) -> String {
        let command = pick([
            "\"/opt/acme/permission.sh\"", "\"echo \\\"hi\\\" # cdev\"", "\"true\"", "\"forward.sh | tee x\"",
        ])
        return object([("type", "\"command\""), ("command", command), ("timeout", pick(["5", "1.50"]))], outer)
    }

    private mutating func object(_ members: [(String, String)], _ outer: String) -> String {
        wrapped(members.map { "\"\($0.0)\"" + colon + $0.1 }, "{", "}", outer)
    }

    private mutating func list(_ items: [String], _ outer: String) -> String {
        wrapped(items, "[", "]", outer)
    }

    private mutating func wrapped(_ items: [String], _ open: String, _ close: String, _ outer: String) -> String {
        guard !items.isEmpty else { return open + pick(["", "", " ", newline, newline + "\t"]) + close }
        let isOnOneLine = chance(5)
        let lead = isOnOneLine ? space() : newline + (newline.isEmpty ? "" : outer + unit)
        let tail = isOnOneLine ? space() : newline + (newline.isEmpty ? "" : outer)
        return open + lead + items.joined(separator: space() + "," + space() + lead) + tail + close
    }

    private mutating func space() -> String {
        isSloppy ? pick(["", " ", "\n", "\t \r\n", "\r"]) : ""
    }

    private mutating func chance(_ of: Int) -> Bool {
        Int.random(in: 0..<of, using: &random) == 0
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &random) ?? ""
    }
}
