extension JSONStyle {
    /// Appends a value, after its key if there is one.
    /// - Parameter indentation: The indentation of the line that the value begins on; nil writes all of it on that
    ///   line.
    func write(_ value: JSON, key: String?, indentation: [UInt8]?, into output: inout [UInt8]) {
        if let key {
            JSON.string(key).write(into: &output)
            output += colon
        }
        switch value {
        case .array(let elements) where !elements.isEmpty:
            let items = elements.map { (key: String?.none, value: $0) }
            write(items, in: "[]", indentation: indentation, into: &output)
        case .object(let object) where !object.isEmpty:
            let items = object.map { (key: Optional($0.key), value: $0.value) }
            write(items, in: "{}", indentation: indentation, into: &output)
        default:
            value.write(into: &output)
        }
    }

    private func write(
        _ items: [(key: String?, value: JSON)], in brackets: String, indentation: [UInt8]?, into output: inout [UInt8]
    ) {
        let inner = indentation.map { $0 + unit }
        output += brackets.utf8.prefix(1)
        for (place, item) in items.enumerated() {
            if place > 0 { output += [UInt8(ascii: ",")] + (inner == nil ? gap : []) }
            output += inner.map { newline + $0 } ?? []
            write(item.value, key: item.key, indentation: inner, into: &output)
        }
        output += indentation.map { newline + $0 } ?? []
        output += brackets.utf8.suffix(1)
    }
}
