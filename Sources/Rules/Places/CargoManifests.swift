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
        guard !hasRunner, let packages = CargoPackages.directories(from: self) else { return true }
        return packages.contains { namesOwnHarness(PathText.join($0, CargoPackages.manifest), benches) }
    }

    /// True where settings of cargo may have a program of their own started in place of each test, with the words.
    private var hasRunner: Bool {
        PathText.upwards(from: resolved.path).contains { directory in
            CargoPackages.settings.contains { name in
                let path = PathText.join(directory, name)
                return root.disk.kind(of: path) != .missing && cargoManifest(path)?.holds("runner") ?? true
            }
        }
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

    private func cargoManifest(_ path: String) -> String? {
        root.disk.text(of: path, limit: DiskLookups.longestManifest, isOnlySearched: true)
    }
}
