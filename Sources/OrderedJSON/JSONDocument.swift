/// A JSON text in which one value can be changed while every other byte stays as it is.
///
/// A byte order mark at the beginning is kept. After every edit the document is valid JSON.
package struct JSONDocument: Sendable {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The whole text as UTF-8.
    package private(set) var bytes: [UInt8]
    package private(set) var root: JSONNode
    let depth: Int

    /// - Parameter depth: The deepest nesting of objects and arrays.
    package init(parsing bytes: [UInt8], depth: Int = 128) throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes, depth: depth)
        if bytes.starts(with: Self.byteOrderMark) { scanner.position = Self.byteOrderMark.count }
        scanner.skipSpace()
        root = try scanner.node()
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.unexpected(wanted: "the end of the text") }
        self.bytes = bytes
        self.depth = depth
    }

    package func node(at path: JSONPath) -> JSONNode? {
        path.reduce(root) { node, step in node?.child(step) }
    }

    /// The value at the path; nil where there is none.
    package func value(at path: JSONPath) -> JSON? {
        node(at: path).flatMap { try? JSON(parsing: bytes[$0.range], depth: depth) }
    }

    /// Line and column where the value at the path begins, counted from 1.
    package func position(of path: JSONPath) -> (line: Int, column: Int)? {
        node(at: path).map {
            let position = TextPosition(of: $0.range.lowerBound, in: bytes)
            return (position.line, position.column)
        }
    }

    /// The text of the value at the path, as it is written in the document.
    package func spelling(at path: JSONPath) -> String? {
        node(at: path).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    mutating func replaceBytes(_ range: Range<Int>, with new: [UInt8]) throws(JSONEditError) {
        let edited = bytes[..<range.lowerBound] + new + bytes[range.upperBound...]
        do {
            self = try JSONDocument(parsing: Array(edited), depth: depth)
        } catch {
            throw .invalidResult(error)
        }
    }
}

/// The reason why an edit could not be made. The document is unchanged.
package enum JSONEditError: Error, Hashable, CustomStringConvertible {
    case noSuchPlace(JSONPath)
    case invalidResult(JSONSyntaxError)

    package var description: String {
        switch self {
        case .noSuchPlace(let path): "there is no \(path.described) to change"
        case .invalidResult(let error): "the change would not leave valid JSON: \(error)"
        }
    }
}
