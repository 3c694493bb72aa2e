/// The position of a value in a document, with the positions of its members or elements.
package struct JSONNode: Sendable {
    package enum Content: Sendable {
        case scalar
        case object([Member])
        case array([JSONNode])
    }

    package struct Member: Sendable {
        package let key: String
        package let keyRange: Range<Int>
        package let value: JSONNode
    }

    /// The value's bytes in the document.
    package let range: Range<Int>
    package let content: Content

    /// The number of members or elements; 0 for a scalar.
    package var count: Int {
        switch content {
        case .scalar: 0
        case .object(let members): members.count
        case .array(let elements): elements.count
        }
    }

    /// The bytes of each member (from key to value) or element; empty for a scalar.
    var items: [Range<Int>] {
        switch content {
        case .scalar: []
        case .object(let members): members.map { $0.keyRange.lowerBound..<$0.value.range.upperBound }
        case .array(let elements): elements.map(\.range)
        }
    }

    var firstItem: Range<Int>? {
        switch content {
        case .scalar: nil
        case .object(let members): members.first.map { $0.keyRange.lowerBound..<$0.value.range.upperBound }
        case .array(let elements): elements.first?.range
        }
    }

    /// The index of the item that the step names; nil where there is none. Of a key that occurs twice the last one
    /// counts.
    func place(of step: JSONPathStep) -> Int? {
        switch (step, content) {
        case (.key(let key), .object(let members)): members.lastIndex { $0.key.hasSameBytes(as: key) }
        case (.index(let index), .array(let elements)): elements.indices.contains(index) ? index : nil
        default: nil
        }
    }

    func child(_ step: JSONPathStep) -> JSONNode? {
        guard let place = place(of: step) else { return nil }
        return switch content {
        case .scalar: nil
        case .object(let members): members[place].value
        case .array(let elements): elements[place]
        }
    }
}

extension JSONScanner {
    mutating func node() throws(JSONSyntaxError) -> JSONNode {
        let start = position
        let content = try nodeContent()
        return JSONNode(range: start..<position, content: content)
    }

    private mutating func nodeContent() throws(JSONSyntaxError) -> JSONNode.Content {
        switch current {
        case UInt8(ascii: "{"):
            var members: [JSONNode.Member] = []
            try object { scanner, key, keyRange throws(JSONSyntaxError) in
                members.append(JSONNode.Member(key: key, keyRange: keyRange, value: try scanner.node()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONNode] = []
            try array { scanner throws(JSONSyntaxError) in elements.append(try scanner.node()) }
            return .array(elements)
        default:
            _ = try value()
            return .scalar
        }
    }
}
