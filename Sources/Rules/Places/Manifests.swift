/// Manifests: files that decide what a program runs, and that the program searches for from its directory upwards.
enum Manifests {
    /// The manifests of each program. Every program may also obey `versions`.
    private static let names: [String: [String]] = [
        "cargo": rust, "deno": ["deno.json", "deno.jsonc"] + node, "gem": ["gemfile"], "go": go, "gofmt": go,
        "pytest": pytest, "ruby": ["gemfile"], "rustfmt": rust, "staticcheck": go, "swift": ["package.swift"],
        "tsc": ["jsconfig.json", "tsconfig.json"] + node,
    ]
    /// Programs that run on node. Volta starts the version of node, and of some of these programs, that a package.json
    /// names.
    private static let ofNode: Set<String> = [
        "biome", "bun", "eslint", "jest", "jsonlint", "markdownlint", "markdownlint-cli2", "node", "npm", "npx",
        "oxlint", "pnpm", "prettier", "pyright", "stylelint", "tslint", "vitest", "yarn",
    ]
    private static let node = [
        ".npmrc", ".pnp.cjs", ".pnpmfile.cjs", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "package.json",
        "package.json5", "package.yaml", "pnpm-workspace.yaml",
    ]
    private static let go = ["go.mod", "go.work"]
    /// The files from which pytest and its coverage plugin take options and modules.
    static let pytest = [
        ".coveragerc", ".pytest.ini", ".pytest.toml", "pyproject.toml", "pytest.ini", "pytest.toml", "setup.cfg",
        "tox.ini",
    ]
    private static let rust = [".cargo", "cargo.toml", "rust-toolchain", "rust-toolchain.toml"]
    /// Files of version managers such as aqua, asdf, mise, proto, pyenv and volta, besides `.node-version` and similar names. A
    /// program of any name may be a shim of a version manager, which may start a program in the tree.
    private static let versions: Set<String> = [
        ".aqua.yaml", ".dvmrc", ".nvmrc", ".prototools", ".sdkmanrc", ".tool-versions", ".yvmrc", "aqua", "aqua.yaml",
        "mise",
    ]
    /// Builtins of the shell and programs of the system, which no version manager replaces.
    private static let system: Set<String> = Set(
        """
        [ arch basename cal cat cksum cmp column comm command cut date df diff dirname du echo file find fmt fold free git grep \
        groups head hexdump hostname id locale ls md5sum mkdir nl nproc od ps pwd readlink realpath rev sed seq sha1sum \
        sha256sum sha512sum shasum sleep sort stat strings sum systemctl tac tail test touch true tty type uname uniq uptime wc which \
        whoami
        """.split(separator: " ").map(String.init))

    /// True if the program is one of the system's, which obeys no manifest.
    static func isOfSystem(_ program: String) -> Bool { system.contains(program) }

    /// True if a file of this case-folded name is a manifest of some program.
    static func knows(_ folded: [UInt8]) -> Bool { namesVersions(folded) || all.contains(folded) }

    private static let all = Set((names.values.joined() + node).map { Array($0.utf8) })

    /// The nearest directory below the root, from the place upwards, with a manifest of the command's program. The key
    /// holds for that directory only.
    ///
    /// Nil where only the root has one, or no directory has.
    static func home(of row: CommandRow, at place: Place) -> String? {
        row.words.first.flatMap { home(ofProgram: $0, at: place) }
    }

    static func home(ofProgram name: String, at place: Place) -> String? {
        guard !isOfSystem(name) else { return nil }
        let names = names[name] ?? (ofNode.contains(name) ? node : [])
        return ([place] + place.above).first { isHome($0, names) }?.resolved.path
    }

    private static func isHome(_ place: Place, _ names: [String]) -> Bool {
        let (directory, disk) = (place.resolved.path, place.root.disk)
        guard !PathText.same(directory, place.root.resolved.path), place.root.contains(place.resolved) else {
            return false
        }
        // A directory that cannot be listed may have a manifest.
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
