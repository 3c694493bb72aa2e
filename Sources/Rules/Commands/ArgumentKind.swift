/// What a command does with an operand or with an option's value, and so what is looked at before it may vary.
enum ArgumentKind: Sendable, Hashable {
    /// Handed to a script that was approved.
    case args
    /// A path that is made.
    case created
    /// One of these words.
    case choice([String])
    /// pytest's `-k` and `-m`: words, `and`, `or`, `not`; older ones evaluate it as Python.
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
    /// What brew knows by its name: a file or an address would be loaded as Ruby.
    case formula
    /// `+%Y-%m-%d`.
    case format
    /// A path that is rewritten, or shown in full: a file, or a directory with no link below it that leads to a file elsewhere.
    case formatted
    /// ripgrep's `-g`: `!…` or `*.suffix`.
    case glob
    /// What Rust's test harness takes: names, and options that write nothing.
    case harness
    /// A Rust item: `parser::tests`.
    case item
    /// What git prints of a commit, a branch or a tag: nothing that has a signature verified by another program.
    case layout
    /// `sed -n`'s `N,Mp`: see `LineProgram`.
    case lines
    /// What a linter is told of its lints, two words each: `-D warnings`.
    case lints
    /// pytest's `--cov`: a directory that exists, or a name without a dot, as one with it is imported.
    case measured
    /// A Python file, or a dotted name, which is part of the key.
    case module
    /// A branch, a package, a container …
    case name
    /// A package by its name in a registry.
    case package
    case path
    /// A path that says what is built or run: part of the key.
    case place
    /// An option's value that takes the place of the first text operand (`grep -e`).
    case pattern
    /// tsc's `-p`: a directory, or a `tsconfig….json`.
    case project
    /// jq's `.a.b[]`.
    case projection
    /// Git's remote: a name that the repository's own settings know, and no path.
    case remote
    /// GitHub's: `name` or `owner/name`, on no other host.
    case repository
    /// Git's name, range or path.
    case rev
    /// awk's `-F`: one character.
    case separator
    /// A path that git takes into its index: no repository of its own, nor one below it.
    case staged
    /// sed's `s/old/new/g`: see `SubstitutionProgram`.
    case substitution
    /// A make target: part of the key.
    case target
    /// Never opened.
    case text
    /// A file, or a directory that is read with all that is below it.
    case tree

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
        "tree": .tree,
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

    /// Paths of which several may stand in one place, as a glob gives them.
    var isPaths: Bool {
        switch self {
        case .path, .formatted, .staged, .tree: true
        default: false
        }
    }

    /// A program of the command's own language: given by an option, it is no operand any more.
    var isProgram: Bool { self == .lines || self == .substitution }

    /// The kind of an operand that follows `--`.
    var behindDashes: ArgumentKind? {
        switch self {
        case .args, .created, .file, .lines, .lints, .path, .formatted, .staged, .text, .tree: self
        case .rev: .path
        default: nil
        }
    }
}
