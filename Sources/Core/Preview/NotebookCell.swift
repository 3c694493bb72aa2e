import OrderedJSON

/// One cell of a Jupyter notebook, as a call changes it.
struct NotebookCell: Sendable, Hashable {
    enum Mode: String {
        case delete, insert, replace
    }

    let source: String
    private let id: String?
    private let mode: Mode

    init?(_ tool: Tool, _ input: JSON) {
        guard let mode = Mode(rawValue: tool.string(.cellMode, in: input) ?? "replace") else { return nil }
        guard let source = tool.string(.content, in: input) ?? (mode == .delete ? "" : nil) else { return nil }
        self.source = source
        self.mode = mode
        id = tool.string(.cell, in: input)
    }

    /// The cell's text before and after, because a notebook's JSON is not readable.
    func applied(to file: [UInt8]) throws(PreviewRefusal) -> (old: [UInt8], new: [UInt8]) {
        guard let notebook = try? JSON(parsing: file), let cells = notebook["cells"]?.arrayValue else {
            throw .notNotebook
        }
        if mode == .insert, id == nil { return ([], Array(source.utf8)) }
        guard let cell = cell(in: cells) else { throw .cellMissing(id ?? "") }
        let old = Array(Self.text(of: cell).utf8)
        switch mode {
        case .delete: return (old, [])
        case .insert: return ([], Array(source.utf8))
        case .replace: return (old, Array(source.utf8))
        }
    }

    /// The cell with this id; `cell-3` is the fourth cell of a notebook whose cells have no ids.
    private func cell(in cells: [JSON]) -> JSON? {
        guard let id else { return nil }
        if let found = cells.first(where: { $0["id"]?.stringValue == id }) { return found }
        guard id.hasPrefix("cell-"), let number = Int(id.dropFirst(5)), cells.indices.contains(number) else {
            return nil
        }
        return cells[number]
    }

    /// The cell's source, which is one string, or one string for each line.
    private static func text(of cell: JSON) -> String {
        let source = cell["source"]
        return source?.stringValue ?? (source?.arrayValue ?? []).compactMap(\.stringValue).joined()
    }
}
