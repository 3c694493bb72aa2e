import OrderedJSON

/// A card in the list, with the state of this terminal and the person's choices.
struct Entry: Sendable {
    enum Phase: Sendable, Hashable {
        case open
        /// The request has ended; the text names the decision and the resolver.
        case ended(String, Outcome)
        /// An answer was sent and has no reply yet; the text names it.
        case sending(String)
    }

    /// The outcome of a request, as far as the screen shows it by a colour.
    enum Outcome: Sendable, Hashable {
        case allowed, denied, other

        init(_ decision: String) {
            self = decision == "allow" ? .allowed : decision == "deny" ? .denied : .other
        }

        var style: Style {
            switch self {
            case .allowed: .success
            case .denied: .failure
            case .other: .warning
            }
        }
    }

    var card: Card
    /// Rises with each change that a person would have to read again.
    var revision = 0
    var phase = Phase.open
    var preview: CardPreview?
    var hasAskedPreview = false
    var form: AnswerForm?
    /// The command as it was edited here.
    var changed: String?
    /// The person's last kind of allow, sent again once the daemon has demanded a confirming word.
    var approval: Prompt.Approval?
    /// Indices of the patterns that are not to be granted.
    var leftOut: Set<Int> = []
    var isNew = true
    /// The rows of each page that have been on the screen.
    var seen: [Page: Seen] = [:]

    /// The pages that the area of the card can show.
    enum Page: Sendable, Hashable {
        case card, change, patterns
    }

    /// Rows of a page that are on the screen, or have been since its first row was.
    struct Seen: Sendable, Hashable {
        let revision: Int
        let width: Int
        let top: Int
        /// The row after the last of them.
        let rows: Int
        /// Rows that must have been on the screen before an allow.
        let wanted: Int
    }

    init(_ card: Card) {
        self.card = card
        form = AnswerForm(card)
    }

    var isOpen: Bool { phase == .open }

    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// The number of rows that must be seen and have not been on the screen; `nil` if the page was not drawn in this
    /// revision.
    func unseenRows(on page: Page) -> Int? {
        guard let seen = seen[page], seen.revision == revision else { return nil }
        return max(0, seen.wanted - seen.rows)
    }

    /// True once every row of the call has been on the screen as it is now.
    func isSeen(on page: Page) -> Bool { unseenRows(on: page) == 0 }

    /// Notes rows that were drawn. Rows below a gap do not count: a jump to the end shows the end only.
    mutating func note(_ now: Seen, on page: Page) {
        let before = seen[page].flatMap { $0.revision == now.revision ? $0 : nil }
        let isSameLayout = before?.width == now.width && before?.wanted == now.wanted
        var rows = isSameLayout ? before?.rows ?? 0 : 0
        if now.top <= rows { rows = max(rows, now.rows) }
        // A call that was seen whole stays so in another width, or with the person's own answer among its rows.
        if let before, before.rows >= before.wanted { rows = max(rows, now.wanted) }
        seen[page] = Seen(revision: now.revision, width: now.width, top: 0, rows: rows, wanted: now.wanted)
    }

    mutating func replace(with card: Card) {
        guard card != self.card || hasEnded else { return }
        if card.input != self.card.input || card.opening != self.card.opening {
            changed = nil
            form = AnswerForm(card)
        }
        if card.patterns != self.card.patterns { leftOut = [] }
        self.card = card
        phase = .open
        revision += 1
    }

    var patterns: [String] {
        card.patterns.enumerated().filter { !leftOut.contains($0.offset) }.map(\.element)
    }

    /// The command that would run; `nil` if the call is not a shell command.
    var command: String? {
        card.tool.kind == .shellCommand ? card.tool.string(.command, in: card.input) : nil
    }

    /// The whole input with the edited command in it.
    var updatedInput: JSON? {
        guard let changed, var members = card.input.objectValue, let name = card.tool.members[.command] else {
            return nil
        }
        members[name] = .string(changed)
        return .object(members)
    }
}
