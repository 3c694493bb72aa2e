import Text

/// Names of files that no rule covers, and of files that no rule for writing covers. Names are compared without case.
enum SensitiveNames {
    /// True if a name is that of a secret, or of a file that configures this program or git. No rule covers such a
    /// file.
    static func isSensitive(component: some BidirectionalCollection<UInt8>) -> Bool {
        guard let last = component.last else { return false }
        // Emacs saves `#.env#` beside a file that is being changed.
        let mark = UInt8(ascii: "#")
        if last == mark, component.first == mark {
            let inner = Array(component.drop { $0 == mark })
            return isSensitive(component: inner[...(inner.lastIndex { $0 != mark } ?? -1)])
        }
        return copyEnds.contains(lowercase(last)) ? isSensitive(copy: component) : isSensitive(name: component)
    }

    /// Checks the name without the suffixes of a copy: `.netrc.bak`, `server.key~`.
    private static func isSensitive(copy component: some BidirectionalCollection<UInt8>) -> Bool {
        var name = folded(component)[...]
        for _ in 0..<mostCopies {
            guard let suffix = copySuffixes.first(where: { name.count > $0.count && name.suffix($0.count) == $0[...] })
            else { return isSensitive(name: name) }
            name = name.dropLast(suffix.count)
        }
        return true
    }

    /// The most such suffixes. A name with more counts as sensitive.
    private static let mostCopies = 4

    private static func isSensitive(name component: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = component.first, let last = component.last else { return false }
        guard mayBeSensitive(from: lowercase(first), to: lowercase(last)) || mayHoldSensitive(component) else {
            return false
        }
        let name = folded(component)
        if first == UInt8(ascii: ".") {
            if hidden.contains(name) { return true }
            if name.starts(with: ".env".utf8), !name.elementsEqual(".env.example".utf8) { return true }
        }
        let plain = Array(name.drop { $0 == UInt8(ascii: ".") })
        if names.contains(name) || names.contains(plain) || parts.contains(where: { name.firstPlace(of: $0) != nil }) {
            return true
        }
        if name.starts(with: "service".utf8), hasSuffix(name, Array(".json".utf8)) {
            if accounts.contains(where: { name.starts(with: $0) }) { return true }
        }
        return prefixes.contains { name.starts(with: $0) || plain.starts(with: $0) }
            || suffixes.contains { hasSuffix(name, $0) }
    }

    /// A fast test by the first and last byte, which excludes most names.
    private static func mayBeSensitive(from first: UInt8, to last: UInt8) -> Bool {
        first == UInt8(ascii: ".") || prefixStarts.contains(first) || suffixEnds.contains(last)
    }

    /// A fast test for `parts`: each of them has a `c` or `p` and a `d` or `m`, or a `k` and a `d` or `y`. True for any
    /// name with bytes beyond ASCII, which this test cannot evaluate.
    private static func mayHoldSensitive(_ component: some BidirectionalCollection<UInt8>) -> Bool {
        var seen = 0
        for byte in component {
            if isBeyondASCII(byte) { return true }
            switch lowercase(byte) {
            case UInt8(ascii: "c"), UInt8(ascii: "p"): seen |= 1
            case UInt8(ascii: "d"): seen |= 2 | 8
            case UInt8(ascii: "m"): seen |= 2
            case UInt8(ascii: "k"): seen |= 4
            case UInt8(ascii: "y"): seen |= 8
            default: break
            }
        }
        return seen & 3 == 3 || seen & 12 == 12
    }

    /// True if any component of a path is sensitive.
    static func isSensitive(path: Substring.UTF8View) -> Bool {
        var rest = PathText.bytes(path)[...]
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            if isSensitive(component: rest[..<slash]) { return true }
            rest = rest[(slash + 1)...]
        }
        return isSensitive(component: rest)
    }

    /// True if a path lies in another user's home directory.
    static func isAnotherHome(_ path: String, home: String) -> Bool {
        if PathText.contains(home, path) { return false }
        let parts = PathText.first(2, of: path).map { String(Substring($0)) }
        guard let base = parts.first else { return false }
        if base == "root" || parts == ["var", "root"] { return true }
        if parts.count == 2, base == "home" || base == "Users" { return parts[1] != "Shared" }
        let beside = PathText.directory(of: home)
        guard homeBases.contains(String(beside.split(separator: "/").last ?? "")) else { return false }
        return PathText.remainder(of: path, below: beside).map { !$0.isEmpty } ?? false
    }

    /// True if a tool of the table, a shell or an editor runs or loads the file without being told.
    /// - Parameter path: relative to the root if the file lies below the root.
    static func runsByItself(path: Substring.UTF8View) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/")).map(folded)
        guard let name = parts.last else { return false }
        if parts.contains(where: runDirectories.contains) { return true }
        // A directory with `index.js` or `__init__.py` in it can take the place of a file of that name.
        if parts.dropLast().contains(where: { moduleDirectories.contains($0) || $0.contains(dot) && isRunName($0) }) {
            return true
        }
        for (one, next) in zip(parts, parts.dropFirst()) where runPairs.contains(one + [UInt8(ascii: "/")] + next) {
            return true
        }
        return isRunName(name)
            || buildDirectories.contains { directory in
                parts.dropLast().contains(directory.name) && directory.suffixes.contains { hasSuffix(name, $0) }
            }
    }

    private static let dot = UInt8(ascii: ".")

    private static func isRunName(_ name: [UInt8]) -> Bool {
        runNames.contains(name) || Manifests.knows(name) || OperandSettings.knows(name)
            || runPrefixes.contains { name.starts(with: $0) }
            || runSuffixes.contains { hasSuffix(name, $0) } || isConfiguration(name) || isIgnoreFile(name)
            || isVariant(name)
    }

    /// True for another spelling of a name that some program looks for: `wrangler.jsonc`, `grumphp.dist.yml`.
    private static func isVariant(_ name: [UInt8]) -> Bool {
        guard let last = name.lastIndex(of: dot), last > 0 else { return false }
        let suffix = Array(name[(last + 1)...])
        var stem = name[..<last]
        if let middle = stem.lastIndex(of: dot), middle > 0, variants.contains(Array(stem[(middle + 1)...])) {
            stem = stem[..<middle]
        }
        return runStems.contains(Array(stem)) && scriptSuffixes.contains(suffix)
            || dataStems.contains(Array(stem)) && dataSuffixes.contains(suffix)
    }

    /// True if the name is that of an ignore file, such as `.npmignore`, which decides what is packed, searched or
    /// checked. An empty file would replace one that excludes secrets.
    private static func isIgnoreFile(_ name: [UInt8]) -> Bool {
        name.first == dot && hasSuffix(name, Array("ignore".utf8))
    }

    /// True if a tool loads code or settings from a file of this name: `*.config.js`, `.toolrc`, `.toolrc.json` and
    /// similar.
    private static func isConfiguration(_ name: [UInt8]) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "."))
        guard let last = parts.last else { return false }
        if name.first == UInt8(ascii: "."), let first = parts.first, first.count > 2, hasSuffix(Array(first), rc) {
            return true
        }
        return parts.count >= 3 && configurations.contains(Array(parts[parts.count - 2]))
            && codeSuffixes.contains(Array(last))
    }

    /// The name case-folded as case-insensitive file systems do, for which `ſ` equals `s` and `ﬁ` equals `fi`.
    static func folded(_ component: some Collection<UInt8>) -> [UInt8] {
        guard component.contains(where: isBeyondASCII) else { return component.map(lowercase) }
        return Array(String(decoding: component, as: UTF8.self).uppercased().lowercased().utf8)
    }

    /// The path case-folded.
    static func folded(path: String) -> String { String(decoding: folded(path.utf8), as: UTF8.self) }

    private static func isBeyondASCII(_ byte: UInt8) -> Bool { byte >= 0x80 }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    private static func hasSuffix(_ name: [UInt8], _ suffix: [UInt8]) -> Bool {
        name.count >= suffix.count && name.suffix(suffix.count).elementsEqual(suffix)
    }
}
