/// Files no rule covers, and files no write rule covers. Names are compared without case.
enum SensitiveNames {
    /// Secrets, and what decides about this program and about git.
    static func isSensitive(component: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = component.first, let last = component.last else { return false }
        guard mayBeSensitive(from: lowercase(first), to: lowercase(last)) || component.contains(where: isBeyondASCII)
        else { return false }
        let name = folded(component)
        if first == UInt8(ascii: ".") {
            if hidden.contains(name) { return true }
            if name.starts(with: ".env".utf8), !name.elementsEqual(".env.example".utf8) { return true }
        }
        return prefixes.contains { name.starts(with: $0) } || suffixes.contains { hasSuffix(name, $0) }
    }

    /// Most names of ASCII are told apart by their first and last byte.
    private static func mayBeSensitive(from first: UInt8, to last: UInt8) -> Bool {
        first == UInt8(ascii: ".") || prefixStarts.contains(first) || suffixEnds.contains(last)
    }

    /// Any component of a path below the root, or of a path as it was written.
    static func isSensitive(path: Substring.UTF8View) -> Bool {
        var rest = PathText.bytes(path)[...]
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            if isSensitive(component: rest[..<slash]) { return true }
            rest = rest[(slash + 1)...]
        }
        return isSensitive(component: rest)
    }

    /// Under the home directory of somebody else.
    static func isAnotherHome(_ path: String, home: String) -> Bool {
        if PathText.contains(home, path) { return false }
        let parts = PathText.components(path).prefix(2).map { String(Substring($0)) }
        guard let base = parts.first else { return false }
        if base == "root" || parts == ["var", "root"] { return true }
        if parts.count == 2, base == "home" || base == "Users" { return parts[1] != "Shared" }
        let beside = PathText.directory(of: home)
        guard homeBases.contains(String(beside.split(separator: "/").last ?? "")) else { return false }
        return PathText.remainder(of: path, below: beside).map { !$0.isEmpty } ?? false
    }

    /// What a tool of the table, a shell or an editor runs by itself: `path` is relative to the root where it is below it.
    static func runsByItself(path: Substring.UTF8View) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/")).map(folded)
        guard let name = parts.last else { return false }
        if parts.contains(where: runDirectories.contains) { return true }
        for (one, next) in zip(parts, parts.dropFirst())
        where one.elementsEqual(".github".utf8) && next.elementsEqual("workflows".utf8) { return true }
        return runNames.contains(name) || runPrefixes.contains { name.starts(with: $0) }
            || runSuffixes.contains { hasSuffix(name, $0) } || isConfiguration(name)
    }

    /// `*.config.js` and its like: code that a tool loads.
    private static func isConfiguration(_ name: [UInt8]) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "."))
        guard parts.count >= 3, let last = parts.last else { return false }
        return parts[parts.count - 2].elementsEqual("config".utf8) && codeSuffixes.contains(Array(last))
    }

    /// Without case, as file systems that leave it out compare: to them also `ſ` is an `s` and `ﬁ` is `fi`.
    private static func folded(_ component: some Collection<UInt8>) -> [UInt8] {
        guard component.contains(where: isBeyondASCII) else { return component.map(lowercase) }
        return Array(String(decoding: component, as: UTF8.self).uppercased().lowercased().utf8)
    }

    private static func isBeyondASCII(_ byte: UInt8) -> Bool { byte >= 0x80 }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    private static func hasSuffix(_ name: [UInt8], _ suffix: [UInt8]) -> Bool {
        name.count >= suffix.count && name.suffix(suffix.count).elementsEqual(suffix)
    }

    private static func bytes(_ names: String) -> [[UInt8]] {
        names.split(separator: " ").map { Array($0.utf8) }
    }

    private static let hidden = Set(
        bytes(
            ".git .claude .cdev .ssh .aws .kube .docker .gnupg .netrc .npmrc .pypirc .git-credentials .pgpass"))
    private static let prefixes = bytes("id_rsa id_ed25519 id_ecdsa id_dsa credentials secrets")
    private static let suffixes = bytes("_history .pem .key .p12 .pfx .jks .tfstate")
    private static let prefixStarts = prefixes.compactMap(\.first)
    private static let suffixEnds = suffixes.compactMap(\.last)
    private static let homeBases: Set<String> = ["home", "homes", "Users"]

    private static let runDirectories = Set(
        bytes(
            ".husky .githooks .cargo .mvn .vscode .idea .devcontainer .yarn node_modules .venv venv site-packages"))
    private static let runPrefixes = bytes(
        """
        .eslintrc .babelrc .prettierrc .stylelintrc .mocharc .lintstagedrc .huskyrc .swcrc .yarnrc .pnpmfile .pnp. \
        docker-compose compose. dockerfile containerfile .rspec phpunit. .golangci. tsconfig .bash .zsh .zlog .zprofile .profile lefthook .lefthook \
        vitest.workspace jest.setup vitest.setup webpack. gulpfile gruntfile directory.build. rakefile gemfile \
        build.gradle settings.gradle gradle.properties gradlew mvnw .pre-commit .envrc makefile.
        """)
    private static let runSuffixes = bytes(
        ".mk .cmake .sbt .rake .lock .csproj .fsproj .vbproj .vcxproj .proj .props .targets .sln .slnx .pth .gemspec .cabal .gradle"
    )
    private static let runNames = Set(
        bytes(
            """
            makefile gnumakefile bsdmakefile justfile .justfile build.ninja cmakelists.txt package.json conftest.py \
            build.rs cargo.toml rust-toolchain rust-toolchain.toml setup.py setup.cfg pyproject.toml pytest.ini \
            .pytest.ini tox.ini noxfile.py mypy.ini .mypy.ini .flake8 .pylintrc sitecustomize.py usercustomize.py \
            .coveragerc uv.toml package.swift go.work bunfig.toml deno.json deno.jsonc pom.xml nuget.config \
            global.json turbo.json nx.json lerna.json babel.config.json .gitattributes .gitmodules .gitconfig \
            .lfsconfig .mcp.json .rubocop.yml .tool-versions mise.toml .mise.toml .kshrc .cshrc .tcshrc \
            .login .logout .inputrc config.fish .xprofile .xinitrc .rgrc .ripgreprc pnpm-workspace.yaml \
            composer.json mix.exs build.zig procfile .swiftlint.yml go.mod go.sum \
            package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb package.resolved packages.lock.json \
            gradle-wrapper.properties gradle-wrapper.jar libs.versions.toml .formatter.exs .credo.exs
            """))
    private static let codeSuffixes = Set(bytes("js cjs mjs ts cts mts json"))
}
