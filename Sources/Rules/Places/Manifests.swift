/// Programs that look upwards for the files that say what they run.
enum Manifests {
    /// Of programs with files of their own; all look for `versions`, too.
    private static let names: [String: [String]] = [
        "cargo": rust, "deno": ["deno.json", "deno.jsonc"] + node, "gem": ["gemfile"], "go": go, "gofmt": go,
        "pytest": pytest, "ruby": ["gemfile"], "rustfmt": rust, "staticcheck": go, "swift": ["package.swift"],
        "tsc": ["jsconfig.json", "tsconfig.json"] + node,
    ]
    /// They run on node: volta starts the one, and of some of them the one, that a package.json names.
    private static let ofNode: Set<String> = [
        "biome", "bun", "eslint", "jest", "jsonlint", "knip", "markdownlint", "markdownlint-cli2", "node", "npm", "npx",
        "oxlint", "pnpm", "prettier", "pyright", "stylelint", "tslint", "vitest", "yarn",
    ]
    private static let node = [
        ".npmrc", ".pnp.cjs", ".pnpmfile.cjs", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "package.json",
        "package.json5", "package.yaml", "pnpm-workspace.yaml",
    ]
    private static let go = ["go.mod", "go.work"]
    /// What pytest and its coverage take their options and modules from.
    static let pytest = [
        ".coveragerc", ".pytest.ini", ".pytest.toml", "pyproject.toml", "pytest.ini", "pytest.toml", "setup.cfg",
        "tox.ini",
    ]
    private static let rust = [".cargo", "cargo.toml", "rust-toolchain", "rust-toolchain.toml"]
    /// What asdf, mise, pyenv, volta and their like read, beside `.node-version` and all others of such a name. A program of
    /// whatever name may be a shim of theirs, and what it starts may lie in the tree.
    private static let versions: Set<String> = [".dvmrc", ".nvmrc", ".sdkmanrc", ".tool-versions", ".yvmrc", "mise"]
    /// The shell's own and the system's: nobody has those from elsewhere.
    private static let system: Set<String> = Set(
        """
        [ arch basename cal cat cksum cmp column comm command cut date df diff dirname du echo file find fmt fold free git grep \
        groups head hexdump hostname id locale ls md5sum mkdir nl nproc od ps pwd readlink realpath rev sed seq sha1sum \
        sha256sum sha512sum shasum sleep stat strings sum systemctl tac tail test touch true tty type uname uptime wc which \
        whoami
        """.split(separator: " ").map(String.init))

    /// It takes nothing from the directories above it.
    static func isOfSystem(_ program: String) -> Bool { system.contains(program) }

    /// A file of this name, without case, says what some program runs.
    static func knows(_ folded: [UInt8]) -> Bool { namesVersions(folded) || all.contains(folded) }

    private static let all = Set((names.values.joined() + node).map { Array($0.utf8) })

    /// The directory below the root whose manifest, or settings that name programs, the command would find: the key holds for that one only.
    ///
    /// Nil where it is the root's, or where there is none on the way.
    static func home(of row: CommandRow, at place: Place) -> String? {
        row.words.first.flatMap { home(ofProgram: $0, at: place) }
    }

    static func home(ofProgram name: String, at place: Place) -> String? {
        guard !isOfSystem(name) else { return nil }
        let names = names[name] ?? (ofNode.contains(name) ? node : [])
        return ([place] + place.above).first { isHome($0, names) }?.resolved.path
    }

    private static func isHome(_ place: Place, _ names: [String]) -> Bool {
        let (directory, disk) = (place.resolved.path, place.ground.disk)
        guard !PathText.same(directory, place.ground.root.path), place.ground.contains(place.resolved) else {
            return false
        }
        // What cannot be listed may hold one.
        guard let found = disk.names(in: directory) else { return true }
        return found.contains { name in
            let folded = SensitiveNames.folded(name.utf8)
            if folded.elementsEqual(".config".utf8) {
                let below = disk.names(in: PathText.join(directory, name))
                return below?.contains { SensitiveNames.folded($0.utf8).starts(with: "mise".utf8) } ?? false
            }
            return namesVersions(folded) || names.contains { folded.elementsEqual($0.utf8) }
        }
    }

    private static func namesVersions(_ folded: [UInt8]) -> Bool {
        let name = String(decoding: folded, as: UTF8.self)
        return versions.contains(name) || ["mise.", ".mise", ".rtx"].contains { folded.starts(with: $0.utf8) }
            || folded.first == UInt8(ascii: ".")
                && ["-version", "-versions"].contains { folded.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
}
