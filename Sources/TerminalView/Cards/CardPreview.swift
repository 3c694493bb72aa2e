import Core
package import OrderedJSON

/// The result of `permission/preview`: the change of the file on the disk, or a plan as a tree.
package enum CardPreview: Sendable, Hashable {
    package struct Hunk: Sendable, Hashable {
        let oldStart: Int
        let newStart: Int
        let lines: [LineDiff.Line]
    }

    case diff([Hunk])
    /// CommonMark's tree of nodes.
    case plan(JSON)
    /// The reason for which there is no diff.
    case refused(reason: String)

    /// `nil` if the result is incomplete or not understood; the input itself is then shown.
    package init?(_ json: JSON) {
        switch json.text("kind") {
        case "diff":
            // A diff without some of its parts would show less than what the call changes.
            guard !json.isMarkedMore, let hunks = json["hunks"]?.arrayValue else { return nil }
            let parsed = hunks.compactMap(Hunk.init)
            guard parsed.count == hunks.count else { return nil }
            self = .diff(parsed)
        case "plan":
            guard let document = json["document"] else { return nil }
            self = .plan(document)
        case "text": self = .refused(reason: json.text("reason"))
        default: return nil
        }
    }
}

extension CardPreview.Hunk {
    init?(_ json: JSON) {
        let lines = json.list("lines").compactMap { line -> LineDiff.Line? in
            // A member `length` says that the line was cut.
            guard let text = line["text"]?.stringValue, line["length"] == nil else { return nil }
            let isTerminated = line["no_newline"]?.boolValue != true
            return LineDiff.Operation(rawValue: line.text("op")).map { .init($0, text, isTerminated: isTerminated) }
        }
        guard !lines.isEmpty, lines.count == json.list("lines").count else { return nil }
        self.init(
            oldStart: json["old_start"]?.intValue ?? 0, newStart: json["new_start"]?.intValue ?? 0, lines: lines)
    }
}

extension JSON {
    /// True if `more` is true or a count above 0: a part was left out.
    fileprivate var isMarkedMore: Bool {
        switch self["more"] {
        case .bool(let value): value
        case .number(let number): number.intValue != 0
        default: false
        }
    }
}
