import Text

/// A script of a package that an option names: `npm --prefix web test`, `pnpm --filter web run build`. The package is
/// part of the key.
struct PackageScope {
    /// The command without the scope.
    let words: [ShellWord]
    /// For npm the directory where the script runs, for pnpm the directory where pnpm is started.
    let place: Place
    private let scope: String

    private static let scripts: [String: Set<String>] = [
        "npm": ["run", "test"], "pnpm": ["build", "format", "lint", "run", "test", "typecheck"],
    ]

    /// Nil where no scope is named.
    static func read(_ words: [ShellWord], in place: Place) throws(Refusal) -> PackageScope? {
        guard words.count > 3, let scripts = scripts[words[0].unquoted] else { return nil }
        let option = words[1].unquoted
        guard option == (words[0].value == "npm" ? "--prefix" : "--filter") else { return nil }
        guard scripts.contains(words[3].unquoted) else { throw .operand(words[3].value) }
        let rest = [words[0]] + words[3...]
        return words[0].value == "npm"
            ? try npm(rest, directory: words[2], in: place) : try pnpm(rest, package: words[2], in: place)
    }

    /// npm runs the script in the directory of the option, with the settings there.
    private static func npm(
        _ words: [ShellWord], directory: ShellWord, in place: Place
    ) throws(Refusal) -> PackageScope {
        // A manifest in the directory where npm is started may choose another npm.
        guard Manifests.home(ofProgram: "npm", at: place) == nil else { throw .workingDirectory }
        let place = try place.enter(directory)
        guard place.isInside, let below = place.root.remainder(place.resolved),
            below.allSatisfy({ ShellCharacters.isFirstWord($0) || $0 == UInt8(ascii: "@") })
        else { throw .directory(directory.value) }
        let name = below.isEmpty ? "." : String(Substring(below))
        return PackageScope(words: words, place: place, scope: "npm --prefix \(name)")
    }

    /// pnpm runs the script in the package's directory, which is unknown, so no argument may be a path.
    private static func pnpm(
        _ words: [ShellWord], package: ShellWord, in place: Place
    ) throws(Refusal) -> PackageScope {
        guard package.marks.isEmpty, isPackageName(package.value) else { throw .operand(package.value) }
        let isRun = words[1].value == "run"
        for word in words.dropFirst(isRun ? 3 : 2) where word.value != "--" {
            guard word.marks.isEmpty, isPlainFlag(word.value) else { throw .operand(word.value) }
        }
        guard hasOwnPackages(place) else { throw .outside(package.value) }
        return PackageScope(words: words, place: place, scope: "pnpm --filter \(package.value)")
    }

    /// False where the packages may lie outside of the root: pnpm searches for the workspace upwards, and its patterns may
    /// lead anywhere.
    private static func hasOwnPackages(_ place: Place) -> Bool {
        let disk = place.root.disk
        for directory in PathText.upwards(from: place.resolved.path) {
            let path = PathText.join(directory, "pnpm-workspace.yaml")
            guard disk.kind(of: path) != .missing else { continue }
            guard PathText.contains(place.root.resolved.path, directory),
                let text = disk.text(of: path, limit: DiskLookups.longestManifest)
            else { return false }
            return !place.mayChange && !["..", "\\", "'/", "\"/", " /"].contains(where: text.holds)
        }
        // Without a workspace pnpm takes the packages below where it is started, which the key does not say.
        return PathText.same(place.resolved.path, place.root.resolved.path)
    }

    /// True if a selector is a package's name, `web` or `@scope/web`. pnpm's other selectors use paths, braces and
    /// dots.
    private static func isPackageName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isScoped = parts.count == 2 && parts[0].first == UInt8(ascii: "@")
        let names = isScoped ? [parts[0].dropFirst(), parts[1]] : parts
        return (isScoped || parts.count == 1)
            && names.allSatisfy { name in
                name.first.map(ShellCharacters.isAlphanumeric) == true
                    && name.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_-".utf8.contains($0) }
            }
    }

    /// True if a word is one flag without a value: `-x` or `--word`, no bundle.
    private static func isPlainFlag(_ text: String) -> Bool {
        let name = text.utf8.drop { $0 == UInt8(ascii: "-") }
        let dashes = text.utf8.count - name.count
        guard let first = name.first, ShellCharacters.isLetter(first) else { return false }
        return (dashes == 1 && name.count == 1)
            || (dashes == 2 && name.allSatisfy { ShellCharacters.isLetter($0) || $0 == UInt8(ascii: "-") })
    }

    func key(_ inner: CommandKey) -> CommandKey {
        let scoped = { [scope, words] (text: String) in
            scope + String(Substring(text.utf8.dropFirst(words[0].value.utf8.count)))
        }
        return CommandKey(text: inner.text.map(scoped), row: inner.row, directory: inner.directory)
    }
}
