import Core
import OrderedJSON

/// Writes a change of a file: the daemon's diff against the file where it has one, else the texts of the call.
enum EditWriter {
    static func write(_ rest: inout JSONObject, _ preview: CardPreview?, to page: inout Document) {
        let key = rest["file_path"] == nil ? "notebook_path" : "file_path"
        if let path = rest[key]?.stringValue {
            page.code(path, .bold)
            rest[key] = nil
        }
        switch preview {
        case .diff(let hunks):
            for hunk in hunks {
                page.say(Line([Span("@@ -\(hunk.oldStart) +\(hunk.newStart) @@", Style(.cyan))]))
                page.diff(hunk.lines)
            }
            for member in ["content", "edits", "new_string", "old_string"] { rest[member] = nil }
        case .refused(let reason):
            page.say("not compared with the file: ", reason, .dim)
            texts(&rest, to: &page)
        default: texts(&rest, to: &page)
        }
    }

    private static func texts(_ rest: inout JSONObject, to page: inout Document) {
        if let content = rest["content"]?.stringValue ?? rest["new_source"]?.stringValue {
            page.diff(LineDiff.lines(from: "", to: content))
            rest["content"] = nil
            rest["new_source"] = nil
        }
        edit(&rest, to: &page)
        guard let edits = rest["edits"]?.arrayValue, edits.allSatisfy({ $0.objectValue != nil }) else { return }
        rest["edits"] = nil
        for (index, edit) in edits.enumerated() {
            page.say(Line([Span("@@ change \(index + 1) of \(edits.count) @@", Style(.cyan))]))
            var members = edit.objectValue ?? [:]
            Self.edit(&members, to: &page)
            if !members.isEmpty { TreeWriter.write(.object(members), to: &page) }
        }
    }

    private static func edit(_ members: inout JSONObject, to page: inout Document) {
        guard let old = members["old_string"]?.stringValue, let new = members["new_string"]?.stringValue else { return }
        page.diff(LineDiff.lines(from: old, to: new))
        members["old_string"] = nil
        members["new_string"] = nil
    }
}
