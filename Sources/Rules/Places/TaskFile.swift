/// The kinds of files that name what a manager of tasks, hooks or builds starts.
enum TaskFile: Equatable {
    /// `package.json`.
    case package
    case makefile
    /// Settings of many programs, in sections: `pyproject.toml`.
    case sections
    /// Cargo's: an alias is a command of cargo's.
    case ofCargo
    /// Every word counts.
    case words(also: [[UInt8]])

    /// Hidden directories in which such programs look for settings.
    static let ofHidden: Set<String> = [".cargo", ".config", ".husky", ".lefthook", ".mise", ".moon"]

    /// - Parameters:
    ///   - name: case folded.
    ///   - hidden: the directory of `ofHidden` that it lies in.
    init?(_ name: [UInt8], in hidden: String?) {
        let text = String(decoding: name, as: UTF8.self)
        if hidden == ".cargo" {
            guard text == "config" || text == "config.toml" else { return nil }
            self = .ofCargo
        } else if text == "package.json" {
            self = .package
        } else if Self.shared.contains(text) {
            self = .sections
        } else if Self.isMakefile(text) {
            self = .makefile
        } else if let also = Self.further[text] {
            self = .words(also: also)
        } else if hidden != nil || SensitiveNames.runsByItself(path: text[...].utf8), !Self.isSilent(name, text) {
            self = .words(also: [])
        } else {
            return nil
        }
    }

    /// Programs that read it, beside those that its name tells.
    var programs: [[UInt8]] {
        switch self {
        case .package: []
        case .makefile: TaskNames.programs("make gmake bmake remake just")
        case .sections: Self.ofSections
        case .ofCargo: TaskNames.programs("cargo")
        case .words(let also): also
        }
    }

    private static let shared: Set<String> = ["pipfile", "pyproject.toml", "setup.cfg"]
    private static let ofSections = TaskNames.programs(
        "flit hatch invoke pdm pip pip3 pipenv pipx poe poetry pytest python python3 rye task tox uv uvx")

    private static func isMakefile(_ name: String) -> Bool {
        ["gnumakefile", "makefile", "justfile", ".justfile"].contains(name)
            || name.utf8.suffix(3).elementsEqual(".mk".utf8)
    }

    /// Files whose names are not those of their programs.
    private static let further: [String: [[UInt8]]] = [
        ("build build.bazel module.bazel workspace workspace.bazel", "bazel bazelisk"), ("build.xml", "ant"),
        ("build.gradle build.gradle.kts settings.gradle settings.gradle.kts", "gradle gradlew"),
        ("build.sbt", "sbt"),
        ("compose.yaml compose.yml docker-compose.yaml docker-compose.yml", "docker podman nerdctl"),
        ("dodo.py", "doit"), ("earthfile", "earthly"), ("gemfile gems.rb rakefile", "bundle bundler rake"),
        ("mix.exs", "mix"), ("pom.xml", "mvn mvnw"), ("procfile", "foreman heroku honcho overmind"),
        ("setup.py", "pip pip3 python python3 uv"), ("tasks.py", "inv invoke"),
    ].reduce(into: [:]) { table, row in
        for name in row.0.split(separator: " ") { table[String(name)] = TaskNames.programs(row.1) }
    }

    /// True for files that name what is built, locked or left out, and for prose: their words start nothing.
    private static func isSilent(_ name: [UInt8], _ text: String) -> Bool {
        FileKinds.texts.contain(name) || silent.contains(text) || text.hasPrefix(".git") || text.hasPrefix("tsconfig")
            || text.hasSuffix("ignore") || text.hasSuffix(".lock") || text.hasSuffix("-lock.json")
            || text.hasSuffix("-lock.yaml") || text.hasSuffix(".sum")
    }

    private static let silent: Set<String> = [
        ".editorconfig", ".ruff.toml", "cargo.toml", "go.mod", "go.work", "jsconfig.json", "package.resolved",
        "package.swift",
        "pnpm-workspace.yaml", "ruff.toml",
    ]
}
