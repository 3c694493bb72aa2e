/// What a command does with an operand or with an option's value, and so what is looked at before it may vary.
enum ArgumentKind: Sendable, Hashable {
    /// Handed to a script that was approved.
    case args
    /// One of these words.
    case choice([String])
    /// A number, perhaps signed, perhaps with a unit.
    case count
    /// A path that is no directory.
    case file
    /// `+%Y-%m-%d`.
    case format
    /// ripgrep's `-g`: `!…` or `*.suffix`.
    case glob
    /// `sed -n`'s `N,Mp`.
    case lines
    /// A branch, a package, a container …
    case name
    case path
    /// An option's value that takes the place of the first text operand (`grep -e`).
    case pattern
    /// jq's `.a.b[]`.
    case projection
    /// Git's remote: a name without `/` that is none in the directory.
    case remote
    /// Git's name, range or path.
    case rev
    /// A make target: part of the key.
    case target
    /// Never opened.
    case text

    private static let named: [String: ArgumentKind] = [
        "args": .args, "count": .count, "file": .file, "format": .format, "glob": .glob, "lines": .lines, "name": .name,
        "path": .path, "pattern": .pattern, "projection": .projection, "remote": .remote, "rev": .rev, "text": .text,
    ]

    /// As a row writes it; several words with `|` between them are a choice (`json|` is a choice of one).
    init?(_ text: some StringProtocol) {
        if text.utf8.contains(UInt8(ascii: "|")) {
            self = .choice(String(text).split(separator: "|" as Character).map(String.init))
        } else if let kind = Self.named[String(text)] {
            self = kind
        } else {
            return nil
        }
    }

    static var names: String { named.keys.sorted().joined(separator: ", ") + ", or words with | between them" }

    /// The kind of an operand that follows `--`.
    var behindDashes: ArgumentKind? {
        switch self {
        case .file, .path, .text, .args, .lines: self
        case .rev: .path
        default: nil
        }
    }
}
