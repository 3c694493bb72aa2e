import CSQLite
import Core
import OrderedJSON

/// The present row of a statement. Columns are counted from 0; `next…` reads one after the other.
struct Row {
    let statement: OpaquePointer
    private var column: Int32 = 0

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    private mutating func advance() -> Int32 {
        defer { column += 1 }
        return column
    }

    mutating func integer() -> Int64 {
        sqlite3_column_int64(statement, advance())
    }

    mutating func bool() -> Bool {
        integer() != 0
    }

    mutating func time() -> Timestamp {
        Timestamp(milliseconds: integer())
    }

    mutating func text() -> String {
        String(decoding: bytes(sqlite3_column_text), as: UTF8.self)
    }

    mutating func blob() -> [UInt8] {
        Array(bytes { sqlite3_column_blob($0, $1)?.assumingMemoryBound(to: UInt8.self) })
    }

    /// `read` of the next column, or `nil` if that holds NULL.
    mutating func optional<Value>(_ read: (inout Row) throws(StoreError) -> Value) throws(StoreError) -> Value? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else {
            column += 1
            return nil
        }
        return try read(&self)
    }

    mutating func json() throws(StoreError) -> JSON {
        let bytes = Array(bytes(sqlite3_column_text))
        do {
            return try JSON(parsing: bytes, depth: Self.depth)
        } catch {
            throw StoreError(.corrupt, "a JSON column does not parse: \(error)")
        }
    }

    mutating func strings() throws(StoreError) -> [String] {
        try json().arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// Reads a text and returns the value that it spells. A text that no version of cdev wrote is damage.
    mutating func spelled<Value>(_ make: (String) -> Value?) throws(StoreError) -> Value {
        let spelling = text()
        guard let value = make(spelling) else { throw StoreError(.corrupt, "no \(Value.self) is spelled \(spelling)") }
        return value
    }

    /// The deepest nesting that is parsed: deeper than any input may be, so that every stored input can be read.
    private static let depth = 1000

    /// Asks for the pointer before the length: the first call may convert the column, and the length must be that of
    /// the converted value.
    private mutating func bytes(
        _ pointer: (OpaquePointer?, Int32) -> UnsafePointer<UInt8>?
    ) -> UnsafeBufferPointer<UInt8> {
        let column = advance()
        let start = pointer(statement, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}
