import Text

/// Tests of the syntax of words, for a row's operands and a key's parts.
enum WordShapes {
    /// `[A-Za-z0-9_@][A-Za-z0-9_@./~^-]*`, and `@{letters or digits}`; `~` and `^` only as in git's revisions.
    static func isName(_ word: String) -> Bool {
        var rest = Array(word.utf8)[...]
        guard let first = rest.popFirst(), isNameStart(first) else { return false }
        var before = first
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "{") {
                guard before == UInt8(ascii: "@"), let close = rest.firstIndex(of: UInt8(ascii: "}")),
                    close > rest.startIndex, rest[..<close].allSatisfy(ShellCharacters.isAlphanumeric)
                else { return false }
                rest = rest[(close + 1)...]
                before = UInt8(ascii: "}")
                continue
            }
            guard isNameStart(byte) || "./~^-".utf8.contains(byte), isPlain(byte, before: rest) else { return false }
            before = byte
        }
        return true
    }

    /// True if a `~` is followed by a digit, `:` or the end, and a `^` by a digit, `^`, `:`, `..` or the end. Anything
    /// else is a pattern for some shells.
    private static func isPlain(_ byte: UInt8, before rest: ArraySlice<UInt8>) -> Bool {
        guard byte == UInt8(ascii: "~") || byte == UInt8(ascii: "^"), let next = rest.first else { return true }
        if ShellCharacters.isDigit(next) || next == UInt8(ascii: ":") { return true }
        return byte == UInt8(ascii: "^") && (next == byte || rest.starts(with: "..".utf8))
    }

    /// True if a ref may come from a stranger: any commit by its hash, or a name with a `/` that does not begin like
    /// the usual branches (`pull/7/head`, `merge-requests/7/head`, `refs/…`: each host has its own form).
    static func isForeignBranch(_ word: String) -> Bool {
        if word.utf8.count >= 40,
            word.utf8.allSatisfy({ ShellCharacters.isDigit($0) || (97...102).contains($0 | 0x20) })
        {
            return true
        }
        let first = word.utf8.prefix { $0 != UInt8(ascii: "/") }
        return first.count < word.utf8.count && !usualBranches.contains(String(decoding: first, as: UTF8.self))
    }

    private static let usualBranches: Set<String> = [
        "bug", "bugfix", "build", "chore", "ci", "claude", "codex", "copilot", "cursor", "dependabot", "dev", "docs",
        "epic", "experiment", "feat",
        "feature", "features", "fix", "hotfix", "improvement", "maintenance", "perf", "refactor", "release", "releases",
        "renovate",
        "revert", "spike", "stable", "story", "support", "task", "test", "topic", "wip",
    ]

    /// A name, or `name:path` without `~` or `^` in the path.
    static func isRevision(_ word: String) -> Bool {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return isName(word) }
        return isName(String(word[..<colon]))
            && !word[colon...].utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "^") }
    }

    /// A package's name, optionally with `@scope/` and `@version`. With another slash npm takes the word for a
    /// repository.
    static func isPackage(_ word: String) -> Bool {
        guard isName(word) else { return false }
        let rest =
            word.utf8.first == UInt8(ascii: "@")
            ? word.utf8.dropFirst().drop { $0 != UInt8(ascii: "/") } : word.utf8[...]
        let name = word.utf8.first == UInt8(ascii: "@") ? rest.dropFirst() : rest
        return !name.isEmpty && !name.contains(UInt8(ascii: "/"))
    }

    /// A formula's name: `node`, `python@3.12`. A word with a slash or a suffix may be a file.
    static func isFormula(_ word: String) -> Bool {
        let parts = word.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts[0].first, ShellCharacters.isAlphanumeric(first),
            parts[0].allSatisfy({ ShellCharacters.isAlphanumeric($0) || "_-".utf8.contains($0) })
        else { return false }
        return parts.count == 1
            || parts[1].allSatisfy { ShellCharacters.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    /// `name` or `owner/name`. A third part before these would be a host.
    static func isRepository(_ word: String) -> Bool {
        let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count < 3, let name = parts.last, let first = word.utf8.first,
            ShellCharacters.isAlphanumeric(first), !name.isEmpty
        else { return false }
        return name.allSatisfy { ShellCharacters.isAlphanumeric($0) || "._-".utf8.contains($0) }
            && (parts.count == 1
                || parts[0].allSatisfy { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "-") })
    }

    /// A Go package by its directory, or a Go file. Go searches for any other name outside the module, too.
    static func isGoPath(_ word: String) -> Bool {
        word == "." || word.utf8.starts(with: "./".utf8) || word.utf8.suffix(3).elementsEqual(".go".utf8)
    }

    /// A git format without `%G…` and `%(signature)`, for which git starts gpg, gpgsm or ssh-keygen.
    static func isLayout(_ word: String) -> Bool {
        guard !word.lowercased().holds("signature") else { return false }
        var before: [UInt8] = []
        for byte in word.utf8 {
            if byte == UInt8(ascii: "G"), before.last == UInt8(ascii: "%") { return false }
            // `%+G`, `%-G` and `% G`, too.
            if before.last == UInt8(ascii: "%"), "+- ".utf8.contains(byte) { continue }
            before = [byte]
        }
        return true
    }

    /// A remote's name, not a path, a refspec or an address.
    static func isRemote(_ word: String) -> Bool {
        guard let first = word.utf8.first, ShellCharacters.isAlphanumeric(first) else { return false }
        return word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "._-".utf8.contains($0) }
    }

    /// `tests.test_a.Case`.
    static func isDottedName(_ word: String) -> Bool {
        let parts = word.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            guard let first = part.first, !ShellCharacters.isDigit(first) else { return false }
            return part.allSatisfy { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        }
    }

    /// True if each part of a Python file's path is the name of a module, so that no other is imported for it.
    static func isPathOfModule(_ path: String) -> Bool {
        let parts = PathText.components(path).filter { !$0.elementsEqual(".".utf8) }
        return parts.enumerated().allSatisfy { index, part in
            !(index == parts.count - 1 ? part.dropLast(3) : part[...]).contains {
                $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "\\")
            }
        }
    }

    /// An argument with which Rust's test harness writes no file; `--logfile` is excluded.
    static func isHarnessArgument(_ word: String) -> Bool {
        if harnessOptions.contains(word) { return true }
        if word.utf8.starts(with: "--test-threads=".utf8) {
            return word.utf8.count > 15 && word.utf8.dropFirst(15).allSatisfy(ShellCharacters.isDigit)
        }
        return !word.isEmpty && word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_:".utf8.contains($0) }
    }

    private static let harnessOptions: Set<String> = [
        "--exact", "--ignored", "--include-ignored", "--list", "--nocapture", "--no-capture", "--quiet",
        "--show-output",
        "--skip", "--test", "--test-threads", "-q",
    ]

    private static func isNameStart(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "@")
    }

    /// `[A-Za-z][A-Za-z0-9_:-]*`: a script's argument that may be a subcommand.
    static func isBareWord(_ word: String) -> Bool {
        guard let first = word.utf8.first, ShellCharacters.isLetter(first) else { return false }
        return word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_:-".utf8.contains($0) }
    }

    /// A script's name in `package.json`, without a dot: `bun run` would run a file with that name.
    static func isScriptName(_ word: String) -> Bool {
        // Without such a script, `npm run env` prints the environment.
        guard let first = word.utf8.first, ShellCharacters.isAlphanumeric(first), word != "env" else { return false }
        return word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_:-".utf8.contains($0) }
    }

    /// A make target, without `=`, a leading `-` or `..`.
    static func isTarget(_ word: String) -> Bool {
        guard let first = word.utf8.first, ShellCharacters.isAlphanumeric(first) || first == UInt8(ascii: "_") else {
            return false
        }
        return word.utf8.allSatisfy { ShellCharacters.isFirstWord($0) || $0 == UInt8(ascii: ":") }
            && !PathText.components(word).contains { $0.elementsEqual("..".utf8) }
    }

    /// A word that a program may take for an option: it begins with `-` and is neither `-` nor a number.
    static func isOption(_ word: String) -> Bool {
        word.utf8.first == UInt8(ascii: "-") && word.utf8.count > 1 && !isCount(word)
    }

    /// Digits, optionally with a sign before and a unit after them.
    static func isCount(_ word: String) -> Bool {
        var rest = word.utf8[...]
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest.removeFirst() }
        if let last = rest.last, "kKMGbBcsmhd".utf8.contains(last) { rest.removeLast() }
        return !rest.isEmpty && rest.allSatisfy(ShellCharacters.isDigit)
    }

    /// awk's `-F`: one character, or `\t`.
    static func isSeparator(_ word: String) -> Bool {
        guard word != "\\t", let byte = word.utf8.first else { return word == "\\t" }
        return word.utf8.count == 1 && (ShellCharacters.isAlphanumeric(byte) || " :,;|/=#@._%+".utf8.contains(byte))
    }

    /// A Rust item: letters, digits, `_` and `:`, a letter first.
    static func isItem(_ word: String) -> Bool {
        guard let first = word.utf8.first, ShellCharacters.isLetter(first) else { return false }
        return word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_:".utf8.contains($0) }
    }

    /// A pytest expression of words only: `parser and not slow`.
    static func isCondition(_ word: String) -> Bool {
        guard let first = word.utf8.first, ShellCharacters.isLetter(first) || first == UInt8(ascii: "_") else {
            return false
        }
        return word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_ ".utf8.contains($0) }
    }

    /// A lint level (`-D`, `-W`, `-A`), or a lint: `warnings`, `clippy::all`.
    static func isLint(_ word: String) -> Bool {
        isLintLevel(word) || isItem(word)
    }

    static func isLintLevel(_ word: String) -> Bool {
        word == "-D" || word == "-W" || word == "-A"
    }

    /// A jq path: `.`, `.a.b[]`, `.[0].name`.
    static func isProjection(_ word: String) -> Bool {
        var rest = word.utf8[...]
        guard rest.first == UInt8(ascii: ".") else { return false }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "[") {
                guard let close = rest.firstIndex(of: UInt8(ascii: "]")),
                    rest[..<close].allSatisfy(ShellCharacters.isDigit)
                else { return false }
                rest = rest[rest.index(after: close)...]
            } else if byte != UInt8(ascii: "."), byte != UInt8(ascii: "_"), !ShellCharacters.isAlphanumeric(byte) {
                return false
            }
        }
        return true
    }

    /// A glob of ripgrep's `-g`: `!…`, or `*.suffix` of a source language, because ripgrep reads the named files even
    /// if they are hidden.
    static func isGlob(_ word: String) -> Bool {
        if word.utf8.first == UInt8(ascii: "!") { return word.utf8.dropFirst().first != UInt8(ascii: "!") }
        guard let suffix = Place.suffix(ofGlob: word.utf8), let last = suffix.split(separator: ".").last else {
            return false
        }
        return isOfSource(last) && !SensitiveNames.isSensitive(component: Array(".\(suffix)".utf8))
            && !SensitiveNames.isSensitive(component: Array("x.\(suffix)".utf8))
    }

    static func isOfSource(_ suffix: some StringProtocol) -> Bool { sources.contains(suffix.lowercased()) }

    /// Suffixes of source code and texts, without those of settings and data.
    private static let sources = Set(
        """
        adoc asm astro bash c cc cjs clj cljs cmake cpp cs css csx cts cu cxx d dart dts el elm erb erl ex exs f90 fish fs \
        fsi fsx go gql gradle graphql groovy h haml hbs hcl hh hpp hrl hs htm html hxx idl inc ino ipynb java jinja jl js \
        jsx kt kts less lhs lisp lua m markdown md mdx mjs mk ml mli mm move mts nim nix php pl pm proto ps1 pug py pyi \
        pyx r rb re rego rkt rs rst s sass scala scm scss sh sol sql sv svelte svg swift tcl tex thrift tpl ts tsx twig \
        v vala vb vert vhd vim vue wgsl xaml zig zsh
        """.split(separator: " ").map(String.init))
}
