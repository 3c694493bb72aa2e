/// How a file is laid out, read off the file itself, so that what is added looks as if its author had written it.
struct JSONStyle {
    /// CR LF, LF or CR: whatever ends the first line; LF if there is one line only.
    let newline: [UInt8]
    /// One step of indentation; two spaces if the file has none to show.
    let unit: [UInt8]
    /// Between key and value: `: `, `:`, ` : ` …
    let colon: [UInt8]
    /// The members stand on the line of their bracket: new ones shall too.
    let isOnOneLine: Bool

    /// Behind a comma on the same line.
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

    /// As at the first member; one spread over lines is nothing to follow.
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

    /// By how much the first item that has a line of its own is indented; nil if there is no such item.
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
