/// The prompt that is open at the bottom of the screen.
enum Prompt: Sendable, Hashable {
    /// `y` allows the call with the edited command.
    case changed
    case command(LineEditor)
    case help
    case message(LineEditor)
    case none
    case own(LineEditor)
    /// `y` allows for the session; digits leave patterns out.
    case session
    /// The transcript of the card's session, in the card's place.
    case transcript
    /// A view in the card's place.
    case view(WatchView)
    /// The word that the card demands before it is allowed; once it is typed, this approval is sent.
    case word(LineEditor, Approval)

    /// The kinds of allow.
    enum Approval: String, Sendable, Hashable {
        case changed, once, session
    }

    /// A name for each kind of prompt; typing in the editor does not change it.
    var name: String {
        switch self {
        case .changed: "changed"
        case .command: "command"
        case .help: "help"
        case .message: "message"
        case .none: ""
        case .own: "own"
        case .session: "session"
        case .transcript: "transcript"
        case .view(let view): view.rawValue
        case .word: "word"
        }
    }

    /// True if the selected card is not on the screen.
    var hidesCard: Bool {
        switch self {
        case .help, .transcript, .view: true
        default: false
        }
    }

    var editor: LineEditor? {
        get {
            switch self {
            case .command(let editor), .message(let editor), .own(let editor), .word(let editor, _): editor
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .command: self = .command(newValue)
            case .message: self = .message(newValue)
            case .own: self = .own(newValue)
            case .word(_, let approval): self = .word(newValue, approval)
            default: break
            }
        }
    }
}

/// One line about the last event.
package struct StatusLine: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case bad, good, plain
    }

    package let text: String
    package let kind: Kind

    init(_ text: String, _ kind: Kind = .plain) {
        self.text = text
        self.kind = kind
    }
}
