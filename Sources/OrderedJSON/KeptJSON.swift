/// A JSON value in the form in which it is stored: a small value parsed, a larger one as text that is parsed on each
/// access.
///
/// A parsed value takes up to thirty times the bytes of its text (`[[],[],…`), and freeing it takes as long as making
/// it. As text, the memory of a foreign value is bounded by its bytes, and passing it on costs nothing.
package struct KeptJSON: Sendable {
    private enum Form {
        case parsed(JSON)
        case text(String)
        /// The value is stored elsewhere, with this many bytes of text.
        case elsewhere(Int)
    }

    private let form: Form
    /// The approximate size in memory, in bytes, for limits on what is kept.
    package let size: Int
    /// The hash of a value stored as text, made with the value: a large one is made off the loop. 0 for other forms.
    private let textHash: Int

    /// The largest footprint in bytes of a value that stays parsed. Nearly all inputs are smaller.
    private static let parsedLimit = 4096

    /// Stores a value. Walks it once to measure its footprint, and serialises a large one.
    package init(_ value: JSON) {
        let footprint = value.footprint
        guard footprint > Self.parsedLimit else {
            self.init(form: .parsed(value), size: footprint)
            return
        }
        self.init(written: value.serialized())
    }

    /// - Parameter text: the result of `JSON.serialized()`; it is not checked.
    package init(written text: String) {
        self.init(form: .text(text), size: text.utf8.count, textHash: Self.hash(of: text))
    }

    /// Stands for a value stored elsewhere that was not read.
    /// - Parameter bytes: the length of its text.
    package init(elsewhere bytes: Int) {
        self.init(form: .elsewhere(bytes), size: 0)
    }

    private init(form: Form, size: Int, textHash: Int = 0) {
        self.form = form
        self.size = size
        self.textHash = textHash
    }

    private static func hash(of text: String) -> Int {
        var hasher = Hasher()
        text.hashBytes(into: &hasher)
        return hasher.finalize()
    }

    /// True if the value is an object, told without parsing. False for a value stored elsewhere.
    package var isObject: Bool {
        switch form {
        case .parsed(let value): value.objectValue != nil
        case .text(let text): text.utf8.first == UInt8(ascii: "{")
        case .elsewhere: false
        }
    }

    /// The length of the text of a value stored elsewhere; nil for a value that is here.
    package var bytesElsewhere: Int? {
        if case .elsewhere(let bytes) = form { bytes } else { nil }
    }

    /// The bytes that each access to `value` parses.
    package var parsedBytes: Int {
        if case .text = form { size } else { 0 }
    }

    /// The value; `null` for a value stored elsewhere. A value kept as text is parsed on each access.
    package var value: JSON {
        switch form {
        case .parsed(let value): value
        // We wrote the text ourselves, so it parses. 1000 levels are more than any input may have.
        case .text(let text): (try? JSON(parsing: text, depth: 1000)) ?? .null
        case .elsewhere: .null
        }
    }

    /// The value's text, as `JSON.serialized()` returns it; `null` for a value stored elsewhere.
    package var text: String {
        switch form {
        case .parsed(let value): value.serialized()
        case .text(let text): text
        case .elsewhere: "null"
        }
    }
}

extension KeptJSON: Hashable {
    /// True if the two are written alike. A value stored elsewhere equals only another such value of the same length.
    package static func == (left: KeptJSON, right: KeptJSON) -> Bool {
        switch (left.form, right.form) {
        case (.parsed(let one), .parsed(let other)): one == other
        case (.elsewhere(let one), .elsewhere(let other)): one == other
        case (.elsewhere, _), (_, .elsewhere): false
        case (.text(let one), .text(let other)): left.textHash == right.textHash && one.hasSameBytes(as: other)
        default: left.text.hasSameBytes(as: right.text)
        }
    }

    package func hash(into hasher: inout Hasher) {
        if case .text = form { hasher.combine(textHash) } else { hasher.combine(Self.hash(of: text)) }
    }
}
