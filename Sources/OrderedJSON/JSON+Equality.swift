extension JSON: Hashable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.unpaired(let one), .unpaired(let other)): one == other
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
        case .string(let value): value.hashBytes(into: &hasher)
        case .unpaired(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }

    /// True if the two values are equal apart from the order of keys. Numbers still have to be spelled alike.
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
    /// True if both texts have the same bytes. `==` also equates canonically equivalent texts, such as `;` and U+037E,
    /// and takes hours for two texts that differ behind a megabyte of combining marks, because it normalises them
    /// first.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Swift stores most texts this short in two words and compares these first.
        if utf8.count < 16, self != other { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { ours in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                ours.baseAddress == theirs.baseAddress || ours.elementsEqual(theirs)
            }
        }
        // A text without contiguous storage is compared byte by byte, which takes ten times as long.
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    /// True where both are texts of the same bytes, or both are `nil`.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasSameBytes(as: other)
    }
}

extension String {
    /// Hashes the bytes. `String.hash(into:)`, like `==`, normalises combining marks first.
    package func hashBytes(into hasher: inout Hasher) {
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: .init($0)) }
        guard isDone == nil else { return }
        Array(utf8).withContiguousStorageIfAvailable { hasher.combine(bytes: .init($0)) }
    }
}

/// A dictionary key or set member that is compared byte by byte, for text from a peer or a model.
package struct ExactString: Hashable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactString, right: ExactString) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}
