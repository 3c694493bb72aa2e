extension JSON {
    /// The approximate size of the value in memory, in bytes, for limits on what is kept.
    package var footprint: Int {
        switch self {
        case .null, .bool: 16
        case .number(let number): 16 + number.spelling.utf8.count
        case .string(let text): 16 + text.utf8.count
        case .unpaired(let text): 16 + 2 * text.units.count
        case .array(let elements): elements.reduce(16) { $0 + $1.footprint }
        case .object(let object): object.members.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.footprint }
        }
    }
}
