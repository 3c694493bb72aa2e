import Text

/// Targets that cargo tests without Rust's test harness (`harness = false`): the project's own `main` gets the words then, and
/// one of them may have it write.
extension Place {
    /// True if `cargo test` may start such a target of the workspace, or where the workspace cannot be known in full.
    /// - Parameter benches: whether the command starts benches, too. By itself cargo tests only those with `test = true`.
    func hasOwnHarness(benches: Bool) -> Bool {
        // A line may have hundreds of such commands.
        let key = "cargo harness \(benches) \(resolved.path)"
        let found = root.hasSettings[key] ?? findsOwnHarness(benches: benches)
        root.hasSettings[key] = found
        return mayChange || found
    }

    private func findsOwnHarness(benches: Bool) -> Bool {
        if hasRunner { return true }
        return switch topOfWorkspace {
        case .none: false
        case .unknown: true
        case .known(let top): hasOwnHarness(below: top, benches: benches)
        }
    }

    /// True where settings of cargo may have a program of their own started in place of each test, with the words.
    private var hasRunner: Bool {
        var directory = resolved.path
        while true {
            for name in [".cargo/config.toml", ".cargo/config"] {
                let path = PathText.join(directory, name)
                if root.disk.kind(of: path) != .missing, cargoManifest(path)?.holds("runner") ?? true { return true }
            }
            if PathText.same(directory, "/") { return false }
            directory = PathText.directory(of: directory)
        }
    }

    private enum Workspace {
        /// Without a manifest cargo runs nothing.
        case none
        /// Part of the workspace lies outside of the root.
        case unknown
        case known(top: String)
    }

    /// The directory of the topmost manifest that may be the workspace's. Cargo looks for it upwards, above the root, too.
    private var topOfWorkspace: Workspace {
        var found = Workspace.none
        var directory = resolved.path
        while true {
            let path = PathText.join(directory, Self.manifest)
            if root.disk.kind(of: path) != .missing {
                guard let text = cargoManifest(path) else { return .unknown }
                let isFirst = if case .none = found { true } else { false }
                if isFirst || text.holds("workspace") {
                    guard PathText.contains(root.resolved.path, directory), !Self.leads(outside: text) else {
                        return .unknown
                    }
                    found = .known(top: directory)
                }
            }
            if PathText.same(directory, "/") { return found }
            directory = PathText.directory(of: directory)
        }
    }

    /// True if a manifest names members of its workspace, or its workspace, by a path that leads upwards, is absolute or lies
    /// in a hidden directory.
    private static func leads(outside manifest: String) -> Bool {
        guard manifest.holds("workspace") else { return false }
        var isInList = false
        for line in manifest.pieces(at: "\n") {
            if line.holds("members") || line.holds("workspace") { isInList = true }
            if isInList, line.holds("..") || outside.contains(where: { line.holds($0) }) || namesHidden(line) {
                return true
            }
            if line.utf8.contains(UInt8(ascii: "]")) || !line.utf8.contains(UInt8(ascii: "[")) && line.holds("=") {
                isInList = false
            }
        }
        return false
    }

    /// Absolute paths, and a pattern that matches hidden directories, too.
    private static let outside = ["\"/", "'/", "\"*/", "'*/"]

    private static func namesHidden(_ line: Substring) -> Bool {
        var last: UInt8 = 0
        var isFirst = false
        for byte in line.utf8 {
            if isFirst, isOfName(byte) || byte == UInt8(ascii: "*") { return true }
            isFirst = byte == UInt8(ascii: ".") && "\"'/".utf8.contains(last)
            last = byte
        }
        return false
    }

    private func hasOwnHarness(below top: String, benches: Bool) -> Bool {
        let key = "\(Self.manifest) \(benches) " + top
        if let known = root.hasSettings[key] { return known }
        var left = Self.mostNamesBelow
        var hasOwn = false
        do throws(Refusal) {
            try lookBelow(top, top, left: &left) { found, entry throws(Refusal) in
                if Self.isManifest(entry.name) {
                    hasOwn = hasOwn || namesOwnHarness(found, benches)
                } else if entry.kind != .other {
                    let inner = PathText.join(found, Self.manifest)
                    // A search does not follow links, but cargo does.
                    let isLinked =
                        entry.kind == .link && root.disk.kind(of: found) == .directory
                        && root.disk.kind(of: inner) != .missing
                    hasOwn = hasOwn || isLinked && namesOwnHarness(inner, benches)
                    let isHidden =
                        entry.name.utf8.first == UInt8(ascii: ".")
                        && PathText.same(found, PathText.join(top, entry.name))
                    let isMade = isHidden || Self.made.contains(entry.name)
                    return !isMade || entry.name != ".git" && root.disk.kind(of: inner) != .missing
                }
                return true
            }
        } catch {
            hasOwn = true
        }
        root.hasSettings[key] = hasOwn
        return hasOwn
    }

    private func namesOwnHarness(_ path: String, _ benches: Bool) -> Bool {
        guard let text = cargoManifest(path) else { return true }
        guard text.holds("harness") else { return false }
        // A text of several lines may look like a section.
        guard !benches, !text.holds("\"\"\""), !text.holds("'''") else { return true }
        var (isBench, isTested, isOwn) = (false, false, false)
        for line in text.pieces(at: "\n") {
            let word = line.utf8.drop { $0 <= 0x20 }
            if word.first == UInt8(ascii: "[") {
                if isTested, isOwn { return true }
                (isBench, isTested, isOwn) = (word.starts(with: "[[bench]]".utf8), false, false)
            }
            isTested = isTested || line.holds("test") && line.holds("true")
            guard Self.setsHarness(line) else { continue }
            guard isBench else { return true }
            isOwn = true
        }
        return isTested && isOwn
    }

    /// True if a line has `harness =`, and not as a part of another name.
    private static func setsHarness(_ line: Substring) -> Bool {
        var rest = Array(line.utf8)[...]
        while let found = rest.firstPlace(of: "harness".utf8) {
            let isWhole = rest[..<found.lowerBound].last.map(isOfName) != true
            rest = rest[found.upperBound...]
            let next = rest.first { !" \t\"'".utf8.contains($0) }
            if isWhole, next == UInt8(ascii: "=") { return true }
        }
        return false
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || "_-".utf8.contains(byte)
    }

    private static func isManifest(_ name: String) -> Bool {
        SensitiveNames.folded(name.utf8).elementsEqual(SensitiveNames.folded(manifest.utf8))
    }

    private func cargoManifest(_ path: String) -> String? {
        root.disk.text(of: path, limit: DiskLookups.longestManifest, isOnlySearched: true)
    }

    private static let manifest = "Cargo.toml"
    /// Directories with many files, as hidden ones beside the manifest are, too, and with packages only if they have a manifest.
    private static let made: Set<String> = [".git", "node_modules", "target"]
}
