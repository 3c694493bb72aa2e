/// The kind of an operand or an option's value, which decides how `ArgumentCheck` checks it.
enum ArgumentKind: Sendable, Hashable {
    /// An argument passed to an approved script.
    case args
    /// A path that is created.
    case created
    /// One of these words.
    case choice([String])
    /// pytest's `-k` and `-m`: words, `and`, `or`, `not`. Older versions evaluate the text as Python.
    case condition
    /// A number, perhaps signed, perhaps with a unit.
    case count
    /// A path that is a directory now.
    case directory
    /// A path that is no directory.
    case file
    /// awk's `{print $1}`: see `FieldProgram`.
    case fields
    /// jq's `.a[] | {b}`: see `FilterProgram`.
    case filter
    /// The name of a Homebrew formula. Homebrew would load a file or an address as Ruby.
    case formula
    /// `+%Y-%m-%d`.
    case format
    /// A path that is rewritten, or printed in full: a file, or a directory with no link below it to a file elsewhere.
    case formatted
    /// ripgrep's `-g`: `!…` or `*.suffix`.
    case glob
    /// An argument of Rust's test harness: a name, or an option that writes nothing.
    case harness
    /// A Rust item: `parser::tests`.
    case item
    /// Git's output format for a commit, a branch or a tag, without fields that make another program verify a
    /// signature.
    case layout
    /// `sed -n`'s `N,Mp`: see `LineProgram`.
    case lines
    /// The levels of a linter's lints, as pairs of words: `-D warnings`.
    case lints
    /// pytest's `--cov`: an existing directory, or a name without a dot, because a dotted name is imported.
    case measured
    /// A Python file, or a dotted name, which is part of the key.
    case module
    /// The name of a branch, a package, a container …
    case name
    /// A package by its name in a registry.
    case package
    case path
    /// A path that decides what is built or run: part of the key.
    case place
    /// An option's value that replaces the first text operand (`grep -e`).
    case pattern
    /// tsc's `-p`: a directory, or a `tsconfig….json`.
    case project
    /// jq's `.a.b[]`.
    case projection
    /// A git remote: a name in the repository's own settings, and not a path.
    case remote
    /// A repository on GitHub: `name` or `owner/name`, without another host.
    case repository
    /// A git revision, range or path.
    case rev
    /// awk's `-F`: one character.
    case separator
    /// A path that git stages: not a repository, and without one below.
    case staged
    /// sed's `s/old/new/g`: see `SubstitutionProgram`.
    case substitution
    /// A make target: part of the key.
    case target
    /// Text that the command never opens as a file.
    case text
    /// A file, or a directory that is read recursively.
    case tree
    /// A number for a plugin of pytest that may be missing, or `auto`: `-n 4`, `--timeout 60`.
    case workers

    private static let named: [String: ArgumentKind] = [
        "args": .args, "condition": .condition, "count": .count, "created": .created, "directory": .directory,
        "fields": .fields,
        "file": .file, "filter": .filter, "format": .format, "formula": .formula, "formatted": .formatted,
        "glob": .glob,
        "harness": .harness, "item": .item,
        "layout": .layout, "lines": .lines, "lints": .lints, "measured": .measured,
        "module": .module, "name": .name, "package": .package, "path": .path, "pattern": .pattern, "place": .place,
        "project": .project, "projection": .projection,
        "remote": .remote, "repository": .repository, "rev": .rev, "separator": .separator, "staged": .staged,
        "substitution": .substitution, "text": .text,
        "tree": .tree, "workers": .workers,
    ]

    /// Parses a kind in a row. Words separated by `|` are a choice (`json|` is a choice of one).
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

    /// True if several paths of this kind may stand in one place, as a glob expands to.
    var isPaths: Bool {
        switch self {
        case .path, .formatted, .staged, .tree: true
        default: false
        }
    }

    /// True if the argument is a program in the command's own language. If an option gives the program, no operand is
    /// one.
    var isProgram: Bool { self == .lines || self == .substitution }

    /// The kind of the same operand after `--`; nil if it cannot stand there.
    var behindDashes: ArgumentKind? {
        switch self {
        case .args, .created, .file, .lines, .lints, .path, .formatted, .staged, .text, .tree: self
        case .rev: .path
        default: nil
        }
    }
}
