package import OrderedJSON

/// A card printed whole: the input that would run, with a diff or a plan where there is one, and notes about it.
package struct CardReport {
    /// With the codes of styles where they are wanted; foreign text is escaped.
    package let lines: [String]
    /// False if the daemon cut the input, or a change of a file could not be shown as a diff.
    package let isWhole: Bool

    /// `nil` if `card` has no request id.
    /// - Parameter preview: The result of `permission/preview`; `nil` if there is none.
    package init?(card json: JSON, preview: JSON?, width: Int, charset: Charset, hasColor: Bool = false) {
        guard let card = Card(json) else { return nil }
        var entry = Entry(card)
        entry.preview = preview.flatMap { CardPreview($0) }
        let project = card.cwd.split(separator: "/").last.map(String.init) ?? card.cwd
        let rows = CardWriter(entry, project: project, width: width, charset: charset).document().rows
        lines = rows.map { hasColor ? $0.encoded(hasColor: true) + "\u{1B}[0m" : $0.text }
        isWhole = !card.isCut
    }

    /// False if the daemon cut the input.
    package static func isWhole(_ json: JSON) -> Bool { Card(json)?.isCut == false }

    /// The most characters that a listing shows of a call's line, and of the rest of its input.
    package static let listed = 400
    package static let listedRest = 300

    /// True if a listing shows all that would run: one line of a command or an address, and the rest of its input. A
    /// change of a file or a plan is read nowhere but in its own form.
    /// - Parameter rest: The members of the input that the line does not show, as text; `nil` if there are none.
    package static func isListedWhole(_ json: JSON, line: String, rest: String?) -> Bool {
        guard let card = Card(json), !card.isCut, rest?.count ?? 0 <= listedRest else { return false }
        guard card.tool.kind != .fileChanges, !card.tool.kind.isForUser else { return false }
        return line.count <= listed && !line.contains { $0.isNewline }
    }
}
