/// The layout of a file, derived from the file itself, so that an addition looks as if the file's author had written
/// it.
struct JSONStyle {
    /// The end of the first line: CR LF, LF or CR; LF if there is only one line.
    let newline: [UInt8]
    /// One step of indentation; two spaces if no item of the file is indented.
    let unit: [UInt8]
    /// The text between key and value: `: `, `:`, ` : ` …
    let colon: [UInt8]
    /// True if the file writes members on the line of their bracket. New members are written there too.
    let isOnOneLine: Bool

    /// The space after a comma on the same line.
    var gap: [UInt8] {
        colon.last == UInt8(ascii: ":") ? [] : [UInt8(ascii: " ")]
    }

    init(of document: JSONDocument) {
        newline = Self.newline(of: document.bytes)
        colon = Self.colon(of: document.root, in: document) ?? Array(": ".utf8)
        let unit = Self.unit(of: document.root, in: document)
        self.unit = unit ?? Array("  ".utf8)
        isOnOneLine = unit == nil && document.root.count > 0
    }

    private static func newline(of bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.firstIndex(where: JSONDocument.isLineBreak) else { return [UInt8(ascii: "\n")] }
        let isPair = bytes[first] == UInt8(ascii: "\r") && bytes.dropFirst(first + 1).first == UInt8(ascii: "\n")
        return isPair ? Array("\r\n".utf8) : [bytes[first]]
    }

    /// The text between key and value of the first member; nil where that contains a line break.
    private static func colon(of node: JSONNode, in document: JSONDocument) -> [UInt8]? {
        switch node.content {
        case .scalar: return nil
        case .array(let elements): return elements.lazy.compactMap { colon(of: $0, in: document) }.first
        case .object(let members):
            guard let member = members.first else { return nil }
            let colon = document.bytes[member.keyRange.upperBound..<member.value.range.lowerBound]
            return JSONDocument.hasLineBreak(colon) ? nil : Array(colon)
        }
    }

    /// The indentation of the first item on a line of its own, relative to its parent's; nil if there is no such item.
    private static func unit(of node: JSONNode, in document: JSONDocument) -> [UInt8]? {
        if let item = node.firstItem {
            let lead = document.bytes[node.range.lowerBound + 1..<item.lowerBound]
            if JSONDocument.hasLineBreak(lead) {
                let outer = document.indentation(at: node.range.lowerBound)
                let inner = JSONDocument.tail(of: lead)
                return inner.starts(with: outer) ? Array(inner.dropFirst(outer.count)) : Array("  ".utf8)
            }
        }
        return children(of: node).lazy.compactMap { unit(of: $0, in: document) }.first
    }

    private static func children(of node: JSONNode) -> [JSONNode] {
        switch node.content {
        case .scalar: []
        case .object(let members): members.map(\.value)
        case .array(let elements): elements
        }
    }
}
