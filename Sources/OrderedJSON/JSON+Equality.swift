extension JSON: Hashable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }

    /// Whether the two say the same, whatever the order of their keys. Numbers still have to be spelled alike.
    package func isEquivalent(to other: JSON) -> Bool {
        switch (self, other) {
        case (.array(let ours), .array(let theirs)):
            return ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.isEquivalent(to: $1) }
        case (.object(let ours), .object(let theirs)):
            guard ours.count == theirs.count else { return false }
            let index = theirs.index()
            return ours.allSatisfy { key, value in
                index[ExactString(key)].map { value.isEquivalent(to: theirs[$0].value) } ?? false
            }
        default:
            return self == other
        }
    }
}

extension String {
    /// Equality of what is written: `==` also equates canonically equivalent texts, such as `;` and U+037E.
    func hasSameBytes(as other: String) -> Bool {
        // Unequal texts never have the same bytes, and that is found out in a few instructions.
        guard utf8.count == other.utf8.count, self == other else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { ours in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                ours.baseAddress == theirs.baseAddress || ours.elementsEqual(theirs)
            }
        }
        // What is not stored in one piece is compared byte by byte, ten times as slowly.
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

/// A key of a dictionary that is compared byte by byte. Equal bytes hash alike, so the string's own hash serves.
struct ExactString: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactString, right: ExactString) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
