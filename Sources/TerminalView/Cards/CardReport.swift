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
}
