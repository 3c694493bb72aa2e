import OrderedJSON

/// The place of a value, in the notation of RFC 9535: `$.tool_input.edits[0].new_string`, `$['odd key']`.
///
/// The text is made only by `text`: a walk through a hostile value passes a million places below one long key.
indirect enum JSONPath {
    case root
    case element(JSONPath, Int)
    case member(JSONPath, String)

    /// Bytes of a member's name that are shown; a longer name is cut and ends in `…`.
    static let longestName = 256
    /// Bytes after which no further step is written; the cut path ends in `…`.
    static let longest = 4096

    func member(_ name: String) -> JSONPath { .member(self, name) }

    func element(_ index: Int) -> JSONPath { .element(self, index) }

    var text: String {
        var steps: [JSONPath] = []
        var path = self
        while let parent = path.parent {
            steps.append(path)
            path = parent
        }
        var text = "$"
        for step in steps.reversed() {
            guard text.utf8.count < Self.longest else { return text + "…" }
            text += step.spelling
        }
        return text
    }

    private var parent: JSONPath? {
        switch self {
        case .root: nil
        case .element(let parent, _), .member(let parent, _): parent
        }
    }

    private var spelling: String {
        switch self {
        case .root: "$"
        case .element(_, let index): "[\(index)]"
        case .member(_, let name): Self.isPlain(name) ? ".\(name)" : "['\(Self.quoted(name))']"
        }
    }

    private static func quoted(_ name: String) -> String {
        let isLong = name.utf8.count > longestName
        let shown = isLong ? name.cut(toEscapedLength: longestName).map { $0 + "…" } ?? name : name
        return HiddenCharacters.escaped(shown).map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    }

    private static func isPlain(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= longestName, name.first?.isNumber == false else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
