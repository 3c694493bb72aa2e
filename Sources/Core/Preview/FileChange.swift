package import OrderedJSON

/// The change that a call makes in the text of one file.
package struct FileChange: Sendable, Hashable {
    /// The path as the agent wrote it.
    package let path: String
    let content: Content

    enum Content: Sendable, Hashable {
        case cell(NotebookCell)
        case edits([TextEdit])
        case whole(String)
    }

    /// Nil for other tools, and if the input lacks a member that the tool needs.
    package init?(tool: Tool, input: JSON) {
        guard tool.kind == .fileChanges, let path = tool.string(.file, in: input),
            let content = Self.content(tool, input)
        else { return nil }
        self.path = path
        self.content = content
    }

    private static func content(_ tool: Tool, _ input: JSON) -> Content? {
        if tool.members[.edits] != nil {
            let list = tool.list(.edits, in: input)
            let edits = list.compactMap { TextEdit(tool, $0) }
            return !list.isEmpty && edits.count == list.count ? .edits(edits) : nil
        }
        if tool.members[.cell] != nil { return NotebookCell(tool, input).map { .cell($0) } }
        if tool.replacesFile { return tool.string(.content, in: input).map { .whole($0) } }
        return TextEdit(tool, input).map { .edits([$0]) }
    }

    /// The new text alone, for a preview without the file.
    package var newText: String {
        switch content {
        case .cell(let cell): cell.source
        case .edits(let edits): edits.map(\.new).joined(separator: "\n…\n")
        case .whole(let text): text
        }
    }

    /// The text before and after.
    /// - Parameter file: The file's content; nil if there is no file.
    package func applied(to file: [UInt8]?) throws(PreviewRefusal) -> (old: [UInt8], new: [UInt8]) {
        if let file, !Self.isText(file) { throw .notText }
        let texts = try texts(file)
        let lines = texts.old.count { $0 == 0x0A } + texts.new.count { $0 == 0x0A }
        guard texts.new.count <= Self.longest, lines <= Self.mostLines else { throw .tooMuch }
        return texts
    }

    private func texts(_ file: [UInt8]?) throws(PreviewRefusal) -> (old: [UInt8], new: [UInt8]) {
        switch content {
        case .cell(let cell):
            guard let file else { throw .missing }
            return try cell.applied(to: file)
        case .edits(let edits): return try Self.apply(edits, to: file)
        case .whole(let text): return (file ?? [], Array(text.utf8))
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }

    /// The most bytes that all edits together may walk through.
    private static let work = 256 << 20
    /// The most bytes of the new text, and the most lines of both texts.
    private static let longest = 2 << 20
    private static let mostLines = 200_000

    private static func apply(
        _ edits: [TextEdit], to file: [UInt8]?
    ) throws(PreviewRefusal) -> (old: [UInt8], new: [UInt8]) {
        guard let file else {
            guard let first = edits.first, first.old.isEmpty else { throw .missing }
            return try apply(edits, to: [])
        }
        // Claude takes every line end for a line feed when it searches, and writes line ends back as they were.
        let old = edits.contains { $0.old.utf8.contains(0x0D) } ? file : file.withPlainLineEnds
        var text = old
        var work = work
        for (number, edit) in edits.enumerated() {
            work -= text.count + edit.old.utf8.count + edit.new.utf8.count
            guard work > 0 else { throw .tooMuch }
            text = try edit.applied(to: text, number: number, of: edits.count, longest: longest)
        }
        return (old, text)
    }
}

/// One replacement of a text.
struct TextEdit: Sendable, Hashable {
    let old: String
    let new: String
    let replacesAll: Bool

    init?(_ tool: Tool, _ input: JSON) {
        guard let old = tool.string(.old, in: input), let new = tool.string(.new, in: input) else { return nil }
        self.old = old
        self.new = new
        replacesAll = tool.value(.everywhere, in: input)?.boolValue ?? false
    }

    func applied(
        to text: [UInt8], number: Int, of count: Int, longest: Int
    ) throws(PreviewRefusal) -> [UInt8] {
        guard !old.isEmpty else {
            guard text.isEmpty else { throw .exists }
            return Array(new.utf8)
        }
        let old = Array(old.utf8)
        let places = BytePattern(old).places(in: text)
        guard !places.isEmpty else { throw .notFound(edit: number, of: count) }
        guard places.count == 1 || replacesAll else {
            throw .notUnique(edit: number, of: count, count: places.count)
        }
        let new = Array(new.utf8)
        guard text.count + places.count * max(0, new.count - old.count) <= longest else { throw .tooMuch }
        return replaced(places, in: text, old.count, new)
    }

    private func replaced(_ places: [Int], in text: [UInt8], _ length: Int, _ new: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        for place in places {
            result += text[start..<place]
            result += new
            start = place + length
        }
        return result + text[start...]
    }
}

extension [UInt8] {
    /// The bytes with a line feed in place of each carriage return and line feed.
    fileprivate var withPlainLineEnds: [UInt8] {
        guard contains(0x0D) else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        for (index, byte) in enumerated() {
            if byte == 0x0D, index + 1 < count, self[index + 1] == 0x0A { continue }
            result.append(byte)
        }
        return result
    }
}
