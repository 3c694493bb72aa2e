/// A JSON value as it is kept: a small one parsed, a larger one as its text, which is parsed when somebody asks.
///
/// Parsed, a value takes up to thirty times the bytes of its text (`[[],[],…`), and as long to free as to make. So what is
/// kept of a foreign value is bounded by its bytes, and handing it on costs nothing, however it is built.
package struct KeptJSON: Sendable {
    private enum Form {
        case parsed(JSON)
        case text(String)
        /// So many bytes that lie elsewhere.
        case elsewhere(Int)
    }

    private let form: Form
    /// About how many bytes it takes, for ceilings on what is kept.
    package let size: Int

    /// The footprint up to which a value stays parsed: nearly all inputs, and no more than some KiB each.
    private static let parsedLimit = 4096

    /// Walks the value once; a larger one is written out.
    package init(_ value: JSON) {
        let footprint = value.footprint
        guard footprint > Self.parsedLimit else {
            self.init(form: .parsed(value), size: footprint)
            return
        }
        self.init(written: value.serialized())
    }

    /// - Parameter text: what `JSON.serialized()` gave; it is not looked at.
    package init(written text: String) {
        self.init(form: .text(text), size: text.utf8.count)
    }

    /// A value of so many bytes of text that was not read.
    package init(elsewhere bytes: Int) {
        self.init(form: .elsewhere(bytes), size: 0)
    }

    private init(form: Form, size: Int) {
        self.form = form
        self.size = size
    }

    /// Whether it is an object, without a look at what is in it.
    package var isObject: Bool {
        switch form {
        case .parsed(let value): value.objectValue != nil
        case .text(let text): text.utf8.first == UInt8(ascii: "{")
        case .elsewhere: false
        }
    }

    /// Bytes of the text of a value that is not here; nil of one that is.
    package var bytesElsewhere: Int? {
        if case .elsewhere(let bytes) = form { bytes } else { nil }
    }

    /// The value; `null` of one that is not here. Takes as long as parsing its text, where it is kept so.
    package var value: JSON {
        switch form {
        case .parsed(let value): value
        // Our own writing: deeper than any input may be, and whole.
        case .text(let text): (try? JSON(parsing: text, depth: 1000)) ?? .null
        case .elsewhere: .null
        }
    }

    /// What `JSON.serialized()` gives.
    package var text: String {
        switch form {
        case .parsed(let value): value.serialized()
        case .text(let text): text
        case .elsewhere: "null"
        }
    }
}

extension KeptJSON: Hashable {
    /// Whether the two are written alike. What is not here equals nothing but the like.
    package static func == (left: KeptJSON, right: KeptJSON) -> Bool {
        switch (left.form, right.form) {
        case (.parsed(let one), .parsed(let other)): one == other
        case (.elsewhere(let one), .elsewhere(let other)): one == other
        case (.elsewhere, _), (_, .elsewhere): false
        default: left.text.hasSameBytes(as: right.text)
        }
    }

    package func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}
