/// The kinds of files that name what a manager of tasks, hooks or builds starts.
enum TaskFile: Equatable {
    /// `package.json`.
    case package
    case makefile
    /// Settings of many programs, in sections: `pyproject.toml`.
    case sections
    /// Cargo's: an alias is a command of cargo's.
    case ofCargo
    /// `Cargo.toml`.
    case crate
    /// nx's `project.json`.
    case project
    /// `CMakeLists.txt`, which names commands beside sources.
    case cmake
    /// pytest's `conftest.py`, which names plugins.
    case conftest
    /// `tsconfig.json`, of which ts-node reads a part.
    case compiler
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
        } else if text == "cargo.toml" {
            self = .crate
        } else if text == "project.json" {
            self = .project
        } else if text == "conftest.py" {
            self = .conftest
        } else if text.hasPrefix("tsconfig") {
            self = .compiler
        } else if Self.shared.contains(text) {
            self = .sections
        } else if Self.isMakefile(name) {
            self = .makefile
        } else if text == "cmakelists.txt" || text.hasSuffix(".cmake") {
            self = .cmake
        } else if let also = Self.further[text] {
            self = .words(also: also)
        } else if let row = Self.bySuffix.first(where: { text.hasSuffix($0.end) }) {
            self = .words(also: row.programs)
        } else if hidden != nil || SensitiveNames.runsByItself(path: text[...].utf8), !Self.isSilent(name, text) {
            self = .words(also: [])
        } else {
            return nil
        }
    }

    /// Nil unless programs that run elsewhere look for the file in any directory.
    /// - Parameter name: case folded.
    init?(anywhere name: [UInt8]) {
        guard let kind = TaskFile(name, in: nil) else { return nil }
        let isOfBuild = [".gradle", ".gradle.kts", ".rake", "cmakelists.txt", ".cmake", "pom.xml"].contains {
            name.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
        guard isOfBuild || [.makefile, .crate, .project, .conftest].contains(kind) else { return nil }
        self = kind
    }

    /// A file that settings name; nil unless it holds settings, too.
    /// - Parameter path: case folded.
    init?(named path: [UInt8]) {
        let name = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
        guard FileKinds.settings.contain(name), !Self.isSilent(name, String(decoding: name, as: UTF8.self)) else {
            return nil
        }
        self = TaskFile(name, in: nil) ?? .words(also: [])
    }

    /// Programs that read it, beside those that its name tells.
    var programs: [[UInt8]] {
        switch self {
        case .package: []
        case .makefile: TaskNames.programs("make gmake bmake remake just")
        case .sections: Self.ofSections
        case .ofCargo, .crate: TaskNames.programs("cargo")
        case .project: TaskNames.programs("nx")
        case .cmake: TaskNames.programs("cmake ctest ninja make")
        case .conftest: TaskNames.programs("pytest")
        case .compiler: []
        case .words(let also): also
        }
    }

    private static let shared: Set<String> = [
        ".flake8", ".pytest.ini", "pipfile", "pyproject.toml", "pytest.ini", "pytest.toml", "setup.cfg", "tox.ini",
    ]
    private static let ofSections = TaskNames.programs(
        "flit hatch invoke pdm pip pip3 pipenv pipx poe poetry pytest python python3 rye task tox uv uvx")

    /// - Parameter name: case folded.
    static func isMakefile(_ name: [UInt8]) -> Bool {
        if [".just", ".mak", ".make", ".mk"].contains(where: { name.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
            return true
        }
        // Others are made of these.
        if [".am", ".in"].contains(where: { name.suffix($0.utf8.count).elementsEqual($0.utf8) }) { return false }
        let plain = name.drop { $0 == UInt8(ascii: ".") }
        return ["bsdmakefile", "gnumakefile", "justfile", "makefile"].contains { plain.starts(with: $0.utf8) }
            && !FileKinds.prose.contain(name) && !(FileKinds.scripts.contain(name) && name.contains(UInt8(ascii: ".")))
    }

    /// Files whose names are not those of their programs.
    private static let further: [String: [[UInt8]]] = [
        ("build build.bazel module.bazel workspace workspace.bazel", "bazel bazelisk"), ("build.xml", "ant"),
        ("build.gradle build.gradle.kts settings.gradle settings.gradle.kts", "gradle gradlew"),
        ("build.sbt", "sbt"), ("bunfig.toml", "bun bunx"), ("conf.py", "sphinx-autobuild sphinx-build"),
        ("compose.yaml compose.yml docker-compose.yaml docker-compose.yml", "docker podman nerdctl"),
        ("dodo.py", "doit"), ("earthfile", "earthly"), ("gemfile gems.rb rakefile", "bundle bundler rake"),
        ("mix.exs", "mix"), ("pom.xml", "mvn mvnw"), ("procfile", "foreman heroku honcho overmind"),
        ("setup.py", "pip pip3 python python3 uv"), ("tasks.py", "inv invoke"),
    ].reduce(into: [:]) { table, row in
        for name in row.0.split(separator: " ") { table[String(name)] = TaskNames.programs(row.1) }
    }

    private static let bySuffix: [(end: String, programs: [[UInt8]])] = [
        (".gradle", TaskNames.programs("gradle gradlew")), (".gradle.kts", TaskNames.programs("gradle gradlew")),
        (".rake", TaskNames.programs("bundle bundler rake")),
    ]

    /// True for files that name what is built, locked or left out, and for prose: their words start nothing.
    private static func isSilent(_ name: [UInt8], _ text: String) -> Bool {
        FileKinds.texts.contain(name) || silent.contains(text) || text.hasPrefix(".git") || text.hasPrefix("tsconfig")
            || text.hasSuffix("ignore") || text.hasSuffix(".lock") || text.hasSuffix("-lock.json")
            || text.hasSuffix("-lock.yaml") || text.hasSuffix(".sum")
    }

    private static let silent: Set<String> = [
        ".editorconfig", ".ruff.toml", "go.mod", "go.work", "jsconfig.json", "package.resolved",
        "package.swift",
        "pnpm-workspace.yaml", "ruff.toml",
    ]
}
