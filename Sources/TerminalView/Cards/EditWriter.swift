import Core
import OrderedJSON

/// Writes a change of a file: the daemon's diff against the file if there is one, else the texts of the call.
struct EditWriter {
    let tool: Tool

    init(_ tool: Tool) {
        self.tool = tool
    }

    func write(_ rest: inout JSONObject, _ preview: CardPreview?, to page: inout Document) {
        if let path = rest.take(.file, of: tool) { page.code(path, .bold) }
        switch preview {
        case .diff(let hunks):
            for hunk in hunks {
                page.say(Line([Span("@@ -\(hunk.oldStart) +\(hunk.newStart) @@", Style(.cyan))]))
                page.diff(hunk.lines)
            }
            for role in roles where tool.members[.cell] == nil || role != .content { rest.remove(role, of: tool) }
        case .refused(let reason):
            page.say("not compared with the file: ", reason, .dim)
            texts(&rest, to: &page)
        default: texts(&rest, to: &page)
        }
    }

    /// The roles of the members that the diff shows.
    private var roles: [ToolRole] { tool.members[.edits] == nil ? [.content, .new, .old] : [.edits] }

    private func texts(_ rest: inout JSONObject, to page: inout Document) {
        if let content = rest.take(.content, of: tool) { page.diff(LineDiff.lines(from: "", to: content)) }
        guard let name = tool.members[.edits] else { return edit(&rest, to: &page) }
        guard let edits = rest[name]?.arrayValue, edits.allSatisfy({ $0.objectValue != nil }) else { return }
        rest[name] = nil
        for (index, edit) in edits.enumerated() {
            page.say(Line([Span("@@ change \(index + 1) of \(edits.count) @@", Style(.cyan))]))
            var members = edit.objectValue ?? [:]
            self.edit(&members, to: &page)
            if !members.isEmpty { TreeWriter.write(.object(members), to: &page) }
        }
    }

    private func edit(_ members: inout JSONObject, to page: inout Document) {
        let input = JSON.object(members)
        guard let old = tool.string(.old, in: input), let new = tool.string(.new, in: input) else { return }
        page.diff(LineDiff.lines(from: old, to: new))
        members.remove(.old, of: tool)
        members.remove(.new, of: tool)
    }
}
