/// What a command does with an operand or with an option's value, and so what is looked at before it may vary.
enum ArgumentKind: Sendable, Hashable {
    /// Handed to a script that was approved.
    case args
    /// A path that is made.
    case created
    /// One of these words.
    case choice([String])
    /// A number, perhaps signed, perhaps with a unit.
    case count
    /// A path that is a directory now.
    case directory
    /// A path that is no directory.
    case file
    /// `+%Y-%m-%d`.
    case format
    /// ripgrep's `-g`: `!…` or `*.suffix`.
    case glob
    /// What Rust's test harness takes: names, and options that write nothing.
    case harness
    /// `sed -n`'s `N,Mp`.
    case lines
    /// A Python file, or a dotted name, which is part of the key.
    case module
    /// A branch, a package, a container …
    case name
    case path
    /// An option's value that takes the place of the first text operand (`grep -e`).
    case pattern
    /// jq's `.a.b[]`.
    case projection
    /// Git's remote: a name that the repository's own settings know, and no path.
    case remote
    /// Git's name, range or path.
    case rev
    /// A make target: part of the key.
    case target
    /// Never opened.
    case text

    private static let named: [String: ArgumentKind] = [
        "args": .args, "count": .count, "created": .created, "directory": .directory, "file": .file,
        "format": .format, "glob": .glob, "harness": .harness, "lines": .lines, "module": .module, "name": .name,
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
        case .args, .created, .file, .lines, .path, .text: self
        case .rev: .path
        default: nil
        }
    }
}
