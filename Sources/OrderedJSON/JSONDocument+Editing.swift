extension JSONDocument {
    /// Replaces the value at the path, or adds it after the last member or element of its parent. Throws where the
    /// parent does not exist or cannot take the step.
    package mutating func set(_ value: JSON, at path: JSONPath) throws(JSONEditError) {
        if let node = node(at: path) {
            try replaceBytes(node.range, with: rendered(value, standingAt: node.range))
        } else if let last = path.last, let parent = node(at: path.dropLast()),
            let key = try key(last, new: parent, path)
        {
            try append(value, key: key, to: parent)
        } else {
            throw .noSuchPlace(path)
        }
    }

    /// Removes the member or element at the path with its comma: the exact inverse of adding it.
    /// - Parameter empty: The text of the parent if nothing is left in it; by default `{}` or `[]`.
    package mutating func remove(at path: JSONPath, leaving empty: String? = nil) throws(JSONEditError) {
        guard let step = path.last, let parent = node(at: path.dropLast()), let place = parent.place(of: step) else {
            throw .noSuchPlace(path)
        }
        let items = parent.items
        if items.count == 1 {
            let brackets = [bytes[parent.range.lowerBound], bytes[parent.range.upperBound - 1]]
            try replaceBytes(parent.range, with: empty.map { Array($0.utf8) } ?? brackets)
        } else if place == 0 {
            try replaceBytes(items[0].lowerBound..<items[1].lowerBound, with: [])
        } else {
            try replaceBytes(items[place - 1].upperBound..<items[place].upperBound, with: [])
        }
    }

    /// The key of a new item (nil in an array). Throws where the step does not fit the parent.
    private func key(_ step: JSONPathStep, new parent: JSONNode, _ path: JSONPath) throws(JSONEditError) -> String?? {
        switch (step, parent.content) {
        case (.key(let key), .object): .some(key)
        case (.index(let index), .array(let elements)) where index == elements.count: .some(nil)
        default: throw .noSuchPlace(path)
        }
    }

    private mutating func append(_ value: JSON, key: String?, to parent: JSONNode) throws(JSONEditError) {
        guard let last = parent.items.last else { return try fill(parent, with: value, key: key) }
        let separator = separator(before: parent.items.count, of: parent)
        let new = separator + render(value, key: key, separator: separator)
        try replaceBytes(last.upperBound..<last.upperBound, with: new)
    }

    /// The first item of an empty object or array, on a line of its own unless the whole text is on one line.
    private mutating func fill(_ parent: JSONNode, with value: JSON, key: String?) throws(JSONEditError) {
        let style = JSONStyle(of: self)
        let outer = indentation(at: parent.range.lowerBound)
        let layout = style.isOnOneLine ? nil : outer + style.unit
        var new = layout.map { style.newline + $0 } ?? []
        style.write(value, key: key, indentation: layout, into: &new)
        new += layout == nil ? [] : style.newline + outer
        try replaceBytes(parent.range.lowerBound + 1..<parent.range.upperBound - 1, with: new)
    }

    private func render(_ value: JSON, key: String?, separator: [UInt8]) -> [UInt8] {
        var new: [UInt8] = []
        JSONStyle(of: self).write(value, key: key, indentation: indentation(after: separator), into: &new)
        return new
    }

    /// The text of a value that replaces the one at `range`: on several lines if that was.
    private func rendered(_ value: JSON, standingAt range: Range<Int>) -> [UInt8] {
        var new: [UInt8] = []
        let isOnOneLine = !bytes[range].contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let layout = isOnOneLine ? nil : indentation(at: range.lowerBound)
        JSONStyle(of: self).write(value, key: nil, indentation: layout, into: &new)
        return new
    }
}
