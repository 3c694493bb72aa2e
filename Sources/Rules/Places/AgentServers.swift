import OrderedJSON
import Text

/// The servers that `claude mcp add` writes to Claude Code's own `.claude.json`: the user's, and those of each project.
///
/// The rest of that file is a record, which may have megabytes. So it is not parsed as a whole; only the values of members
/// `mcpServers` are, wherever they stand.
enum AgentServers {
    static let file = ".claude.json"
    /// Bytes of the largest file that is searched, many times what is usual. A larger one may name any program.
    static let longest = 16 << 20

    private static let key = Array("mcpServers\"".utf8)

    /// The texts of each such member.
    static func all(in text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        var found: [[UInt8]] = []
        var rest = bytes[...]
        while let place = rest.firstPlace(of: key) {
            rest = bytes[place.upperBound...]
            let value = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
            guard value.first == UInt8(ascii: "{") else { continue }
            let object = value[..<end(of: value)]
            rest = bytes[object.endIndex...]
            if object.count > 2 { found.append(texts(of: object)) }
        }
        return found
    }

    /// The place behind an object; the end of all where it has none.
    private static func end(of object: ArraySlice<UInt8>) -> Int {
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for index in object.indices {
            let byte = object[index]
            if isQuoted {
                if byte == UInt8(ascii: "\""), !isEscaped { isQuoted = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
        }
        return object.endIndex
    }

    private static func texts(of object: ArraySlice<UInt8>) -> [UInt8] {
        guard let value = try? JSON(parsing: Array(object)) else { return Array(object) }
        return AgentSettings.lines(of: value)
    }
}
