import OrderedJSON

/// A card in the list, and what is known and chosen about it here.
struct Entry: Sendable {
    enum Phase: Sendable, Hashable {
        case open
        /// Somebody or something else was first, or we were. The text says who.
        case ended(String)
        /// An answer is on its way; the text names it.
        case sending(String)
    }

    var card: Card
    /// Rises with whatever a person would have to read again.
    var revision = 0
    var phase = Phase.open
    var preview: CardPreview?
    var hasAskedPreview = false
    var form: AnswerForm?
    /// The command as it was edited here.
    var changed: String?
    /// How it was allowed last, for when the daemon wants a word with that.
    var approval: Prompt.Approval?
    /// Places in the list of patterns that are not to be granted.
    var leftOut: Set<Int> = []
    var isNew = true
    /// How far each page was on the screen.
    var seen: [Page: Seen] = [:]

    /// What is written out of a card.
    enum Page: Sendable, Hashable {
        case card, change, patterns
    }

    /// Rows of a page that have been on the screen, counted from its first.
    struct Seen: Sendable, Hashable {
        let revision: Int
        let width: Int
        var rows: Int
        /// Rows a person has to have seen before an allow goes without asking.
        let wanted: Int
    }

    init(_ card: Card) {
        self.card = card
        form = card.tool == "AskUserQuestion" ? AnswerForm(card.input) : nil
    }

    var isOpen: Bool { phase == .open }

    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Rows that matter and were never on the screen.
    func unseenRows(on page: Page) -> Int {
        guard let seen = seen[page], seen.revision == revision else { return Int.max }
        return max(0, seen.wanted - seen.rows)
    }

    mutating func note(_ now: Seen, on page: Page) {
        var now = now
        if let before = seen[page], before.revision == now.revision, before.width == now.width,
            before.wanted == now.wanted
        {
            now.rows = max(before.rows, now.rows)
        }
        seen[page] = now
    }

    mutating func replace(with card: Card) {
        guard card != self.card || hasEnded else { return }
        if card.input != self.card.input || card.opening != self.card.opening {
            changed = nil
            form = card.tool == "AskUserQuestion" ? AnswerForm(card.input) : nil
        }
        if card.patterns != self.card.patterns { leftOut = [] }
        self.card = card
        phase = .open
        revision += 1
    }

    var patterns: [String] {
        card.patterns.enumerated().filter { !leftOut.contains($0.offset) }.map(\.element)
    }

    /// The whole input with the edited command in it.
    var updatedInput: JSON? {
        guard let changed, var members = card.input.objectValue else { return nil }
        members["command"] = .string(changed)
        return .object(members)
    }
}
