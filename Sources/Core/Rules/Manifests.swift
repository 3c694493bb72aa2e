/// Programs that look upwards for the files that say what they run.
enum Manifests {
    private static let node = [
        "package.json", "package.json5", "package.yaml", ".npmrc", ".pnp.cjs", ".pnpmfile.cjs", ".yarnrc",
        ".yarnrc.yml",
        "bunfig.toml", "pnpm-workspace.yaml",
    ]
    private static let names = [
        "black": python, "bun": node + versions, "cargo": rust,
        "deno": [".dvmrc", "deno.json", "deno.jsonc", "package.json"] + versions,
        "go": go, "gofmt": go, "isort": python, "java": java, "javac": java, "lua": [".lua-version"] + versions,
        "node": [".node-version", ".nvmrc", "package.json"] + versions, "npm": node + versions,
        "perl": [".perl-version"] + versions, "php": [".php-version"] + versions, "pip": python, "pip3": python,
        "pnpm": node, "pytest": pytest + python, "python": python, "python3": python,
        "ruby": [".ruby-version"] + versions,
        "gem": [".ruby-version"] + versions, "ruff": python, "rustfmt": rust, "staticcheck": go,
        "tsc": ["jsconfig.json", "tsconfig.json"] + versions, "swift": [".swift-version", "Package.swift"] + versions,
        "yamllint": python, "yarn": node,
    ]
    private static let go = ["go.mod", "go.work", ".go-version"] + versions
    private static let java = [".java-version", ".sdkmanrc"] + versions
    /// What pytest and its coverage take their options and modules from.
    static let pytest = [
        ".coveragerc", ".pytest.ini", ".pytest.toml", "pyproject.toml", "pytest.ini", "pytest.toml", "setup.cfg",
        "tox.ini",
    ]
    private static let python = [".python-version"] + versions
    private static let rust = [".cargo", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"] + versions
    /// What asdf and mise read, whose programs, of whatever name, may lie in the tree.
    private static let versions = [".tool-versions", ".mise.toml", "mise.toml"]
    /// The shell's own and the system's: nobody has those from elsewhere.
    private static let system: Set<String> = Set(
        """
        [ arch basename cal cat cksum cmp column comm command cut date df diff dirname du echo file find fmt fold free git grep \
        groups head hexdump hostname id locale ls md5sum mkdir nl nproc od ps pwd readlink realpath rev sed seq sha1sum \
        sha256sum sha512sum shasum sleep stat strings sum systemctl tac tail test touch true tty type uname uptime wc which \
        whoami
        """.split(separator: " ").map(String.init))

    /// The directory below the root whose manifest, or settings that name programs, the command would find: the key holds for that one only.
    ///
    /// Nil where it is the root's, or where there is none on the way.
    static func home(of row: CommandRow, at place: Place) -> String? {
        guard let name = row.words.first, !system.contains(name) else { return nil }
        let names = names[name] ?? versions
        return ([place] + place.above).first { isHome($0, names) }?.resolved.path
    }

    private static func isHome(_ place: Place, _ names: [String]) -> Bool {
        let directory = place.resolved.path
        guard !PathText.same(directory, place.ground.root.path), place.ground.contains(place.resolved) else {
            return false
        }
        return names.contains { place.ground.disk.kind(of: PathText.join(directory, $0)) != .missing }
    }
}
