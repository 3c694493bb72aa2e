import Core
import OrderedJSON

/// A value as SQLite stores it.
enum SQLValue {
    case blob([UInt8])
    case integer(Int64)
    case null
    case text(String)
}

extension SQLValue: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(_ value: Int) { self = .integer(Int64(value)) }
    init(_ value: Int32?) { self = value.map { .integer(Int64($0)) } ?? .null }
    /// SQLite has no unsigned integers: the bits are kept.
    init(_ value: UInt64?) { self = value.map { .integer(Int64(bitPattern: $0)) } ?? .null }
    init(_ value: Bool) { self = .integer(value ? 1 : 0) }
    init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    init(_ value: Timestamp?) { self = value.map { .integer($0.milliseconds) } ?? .null }
    init(_ value: Uptime?) { self = value.map { .integer($0.milliseconds) } ?? .null }
    init(_ value: JSON?) { self = value.map { .text($0.serialized()) } ?? .null }
    init(_ value: [String]) { self = .text(JSON.array(value.map { .string($0) }).serialized()) }
}
