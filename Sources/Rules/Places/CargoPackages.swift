/// The packages that cargo may take where it runs: that of the directory, and those that its workspace and its settings name.
///
/// Cargo searches for the workspace upwards, above the root too, and the packages may lie anywhere: `cargo fmt -p b` would
/// rewrite one beside the root.
struct CargoPackages {
    private let root: SessionRoot
    private var waiting: [String] = []
    private var known: Set<String> = []

    /// Throws if a package that the words may select lies outside of the root, or where that cannot be told.
    static func check(_ words: [ShellWord], in place: Place) throws(Refusal) {
        guard words[0].value == "cargo",
            let word = words.dropFirst().prefix(while: { $0.value != "--" }).first(where: selects)
        else { return }
        try place.checkIsKnown(word.value)
        let key = "cargo packages \(place.resolved.path)"
        // A line may have hundreds of such commands.
        let areInside = place.root.hasSettings[key] ?? (directories(from: place) != nil)
        place.root.hasSettings[key] = areInside
        guard areInside else { throw .outside(word.value) }
    }

    /// True for `-p`, also among several letters, and for the long options.
    private static func selects(_ word: ShellWord) -> Bool {
        let bytes = word.value.utf8
        if bytes.starts(with: "--".utf8) {
            return ["--all", "--workspace"].contains(word.value)
                || ["--exclude", "--package"].contains { word.value == $0 || word.value.isOption($0) }
        }
        return bytes.first == UInt8(ascii: "-") && bytes.contains(UInt8(ascii: "p"))
    }

    /// The directories of the packages; nil if one lies outside of the root, or where that cannot be told.
    static func directories(from place: Place) -> Set<String>? {
        var packages = CargoPackages(root: place.root)
        for directory in ([place] + place.above).map(\.resolved.path) {
            for name in settings {
                guard packages.take(PathText.join(directory, name), from: directory) else { return nil }
            }
        }
        guard packages.findWorkspace(from: place.resolved.path) else { return nil }
        while let directory = packages.waiting.popLast() {
            guard packages.take(PathText.join(directory, manifest), from: directory) else { return nil }
        }
        return packages.known
    }

    private init(root: SessionRoot) { self.root = root }

    /// Notes the nearest manifest, and those above that may be the workspace's. False where one of these lies outside of the
    /// root.
    private mutating func findWorkspace(from start: String) -> Bool {
        for directory in PathText.upwards(from: start) {
            let path = PathText.join(directory, Self.manifest)
            guard root.disk.kind(of: path) != .missing else { continue }
            guard let text = root.disk.text(of: path, limit: DiskLookups.longestManifest) else { return false }
            let settings = CargoSettings(text)
            guard waiting.isEmpty || settings.mayBeOfWorkspace else { continue }
            guard add(directory) else { return false }
            if settings.isOfWorkspace { return true }
        }
        return true
    }

    /// Notes the packages that a file of settings names. False for one outside of the root.
    private mutating func take(_ file: String, from directory: String) -> Bool {
        guard root.disk.kind(of: file) != .missing else { return true }
        guard let text = root.disk.text(of: file, limit: DiskLookups.longestManifest) else { return false }
        return CargoSettings(text).paths.allSatisfy { path in
            guard !path.isUnknown else { return false }
            return take(PathText.components(path.text)[...], from: PathText.isAbsolute(path.text) ? "/" : directory)
        }
    }

    /// Notes the packages of a path with patterns; each pattern counts as any name.
    private mutating func take(_ path: ArraySlice<Substring.UTF8View>, from directory: String) -> Bool {
        var places = [directory]
        for (index, part) in zip(path.indices, path) {
            guard part.contains(where: { "*?[".utf8.contains($0) }) else {
                places = places.map { PathText.join($0, String(Substring(part))) }
                continue
            }
            var found: [String] = []
            for place in places.map({ root.resolve($0) }) where root.disk.kind(of: place.path) != .missing {
                guard root.contains(place), !part.elementsEqual("**".utf8),
                    let entries = root.disk.entries(in: place.path, atMost: Self.mostNames)
                else { return false }
                found += entries.lazy.filter { $0.kind != .other }.map { PathText.join(place.path, $0.name) }
            }
            places = found.filter { index + 1 < path.endIndex || root.disk.kind(of: $0) == .directory }
        }
        return places.allSatisfy { place in
            // Outside of the root one may come at any time.
            root.contains(root.resolve(place))
                && (root.disk.kind(of: PathText.join(place, Self.manifest)) == .missing || add(place))
        }
    }

    /// Notes the directory of a package. False outside of the root, and for more than are looked at.
    private mutating func add(_ directory: String) -> Bool {
        let found = root.resolve(directory)
        guard root.contains(found), !root.disk.isSpent else { return false }
        guard known.insert(found.path).inserted else { return true }
        waiting.append(found.path)
        return known.count <= Self.most
    }

    static let manifest = "Cargo.toml"
    /// Cargo's own settings, by their paths from a directory.
    static let settings = [".cargo/config.toml", ".cargo/config"]
    private static let most = 200
    private static let mostNames = 1000
}
