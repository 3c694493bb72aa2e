package import Core
import Markdown
package import OrderedJSON

/// A preview as approvers get it: it fits one frame, and every hidden character is escaped.
package enum PreviewBody {
    /// Bytes of the preview. The rest of the result holds the request's id.
    private static let ceiling = FrameCeiling.answer - 1024

    package static func params(of preview: Preview) -> JSONObject {
        switch preview {
        case .diff(let path, let diff): difference(path, diff, room: ceiling)
        case .plan(let text): plan(text)
        case .text(let path, let text, let refusal): whole(path, text, reason: refusal.description)
        }
    }

    private static func whole(_ path: String, _ text: String, reason: String) -> JSONObject {
        let object: JSONObject = [
            "kind": "text", "path": .string(HiddenCharacters.escaped(path)),
            "text": .string(HiddenCharacters.escaped(text)), "reason": .string(HiddenCharacters.escaped(reason)),
        ]
        return Trimmer.fit(object, into: ceiling)
    }

    private static func plan(_ text: String) -> JSONObject {
        do throws(MarkdownRefusal) {
            let object: JSONObject = ["kind": "plan", "document": try MarkdownParser.parse(text).json]
            if JSON.object(object).length <= ceiling { return object }
            return whole("", text, reason: "the plan is too large to be laid out")
        } catch {
            return whole("", text, reason: "the plan is too large to be laid out")
        }
    }

    /// - Parameter room: Bytes; lines that do not fit are counted.
    static func difference(_ path: String, _ diff: LineDiff, room: Int) -> JSONObject {
        let path = HiddenCharacters.escaped(path)
        var cut = LineCut(room: room - 512 - JSON.string(path).length)
        let hunks = diff.hunks.compactMap { cut.hunk($0) }
        return [
            "kind": "diff", "path": .string(path), "hunks": .array(hunks), "added": .count(diff.added),
            "removed": .count(diff.removed), "more": .count(diff.more + cut.more),
        ]
    }
}

/// Encodes the lines of hunks until its bytes are used up.
private struct LineCut {
    var room: Int
    /// Number of lines left out.
    private(set) var more = 0

    /// Bytes of a line that are shown; nobody reads a longer line as text.
    private static let longestLine = 16_384

    init(room: Int) {
        self.room = room
    }

    mutating func hunk(_ hunk: LineDiff.Hunk) -> JSON? {
        var lines: [JSON] = []
        room -= 64
        for (index, line) in hunk.lines.enumerated() {
            let shown = Self.json(line)
            let length = shown.length + 1
            guard length <= room else {
                more += hunk.lines.count - index
                // Lines after a gap must not look as if they followed at once, so nothing more is taken.
                room = 0
                break
            }
            room -= length
            lines.append(shown)
        }
        guard !lines.isEmpty else { return nil }
        return ["old_start": .count(hunk.oldStart), "new_start": .count(hunk.newStart), "lines": .array(lines)]
    }

    private static func json(_ line: LineDiff.Line) -> JSON {
        let text = HiddenCharacters.escaped(line.text)
        let shown = text.cut(toEscapedLength: longestLine)
        var object: JSONObject = ["op": .string(line.operation.rawValue), "text": .string(shown ?? text)]
        if shown != nil { object["length"] = .count(line.text.utf8.count) }
        if !line.isTerminated { object["no_newline"] = true }
        return .object(object)
    }
}

extension MarkdownNode {
    fileprivate var json: JSON {
        var object: JSONObject = ["type": .string(kind.rawValue)]
        switch kind {
        case .code, .text: object["text"] = .string(HiddenCharacters.escaped(text))
        case .codeBlock:
            object["text"] = .string(HiddenCharacters.escaped(text))
            object["info"] = .string(HiddenCharacters.escaped(info))
        case .heading: object["level"] = .count(level)
        case .link: object["url"] = .string(HiddenCharacters.escaped(url))
        case .list:
            object["ordered"] = .bool(start != nil)
            if let start { object["start"] = .count(start) }
        default: break
        }
        if !children.isEmpty { object["children"] = .array(children.map(\.json)) }
        return .object(object)
    }
}
