/// The redirections that neither read nor write a file.
extension ShellSplitter {
    /// Redirections to or from /dev/null. Longer operators come first.
    private static let toOrFromNull: [(descriptor: [UInt8]?, operator: [UInt8])] = [
        (nil, Array(">>".utf8)), (nil, Array("&>".utf8)), (nil, Array(">".utf8)), (nil, Array("<".utf8)),
        (Array("1".utf8), Array(">".utf8)), (Array("2".utf8), Array(">".utf8)),
    ]
    private static let duplications: [(descriptor: [UInt8]?, operator: [UInt8])] = [
        (nil, Array(">&2".utf8)), (Array("1".utf8), Array(">&2".utf8)), (Array("2".utf8), Array(">&1".utf8)),
    ]
    private static let null = Array("/dev/null".utf8)

    /// Reads a redirection at its operator, or throws.
    /// - Parameter descriptor: the digits directly before the operator.
    mutating func redirection(descriptor: [UInt8]?) throws(ShellStop) {
        if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "<"), bytes[position + 1] == UInt8(ascii: "<") {
            guard descriptor == nil, try commitMessage() else { throw stop(.hereDocument) }
            return
        }
        for form in Self.duplications where form.descriptor == descriptor && starts(form.operator, at: position) {
            return try accept(to: position + form.operator.count)
        }
        for form in Self.toOrFromNull where form.descriptor == descriptor && starts(form.operator, at: position) {
            var target = position + form.operator.count
            while let next = byte(at: target), next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { target += 1 }
            guard starts(Self.null, at: target) else { throw stop(.redirection) }
            return try accept(to: target + Self.null.count)
        }
        throw stop(.redirection)
    }

    /// Accepts a redirection that ends at `end`. Its target must be a whole word: `>&2x` and `>/dev/nullx` name files.
    private mutating func accept(to end: Int) throws(ShellStop) {
        if let next = byte(at: end) {
            guard ShellCharacters.isDelimiter(next), next != UInt8(ascii: "<"), next != UInt8(ascii: ">"),
                next != UInt8(ascii: "("), next != UInt8(ascii: ")")
            else { throw stop(.redirection) }
        }
        if isEmptyCommand { commandStart = position }
        isRedirected = true
        position = end
    }

    func starts(_ text: [UInt8], at offset: Int) -> Bool {
        offset + text.count <= bytes.count && bytes[offset..<offset + text.count].elementsEqual(text)
    }
}
