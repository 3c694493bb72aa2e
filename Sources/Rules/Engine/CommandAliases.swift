/// Other names that programs have for their subcommands, and for themselves. A deny for one name holds for all.
enum CommandAliases {
    /// The command with the usual names: `npm rum x` becomes `npm run x`, `git-push` becomes `git push`.
    static func usual(_ words: ArraySlice<String>) -> [String] {
        guard let name = words.first else { return [] }
        if let front = separated(name) { return usual((front + words.dropFirst())[...]) }
        if let name = programs[name] ?? unversioned(name) { return usual(([name] + words.dropFirst())[...]) }
        var words = Array(words)
        if name == "cmake" { words = Targets.usualOfCMake(words) }
        guard let names = names[name] else { return words }
        let places = rename(&words, with: names)
        if let place = places.first(where: { groups.contains(words[$0]) }) { leaveOutGroup(&words, at: place) }
        if let place = places.first(where: { words.indices.contains($0) && words[$0] == "run" }), names.leavesOutRun {
            leaveOutRun(&words, at: place, isNPM: name == "npm")
        }
        return words
    }

    /// Other programs that do the same as one of these names. Scripts that start a build tool count as the tool.
    private static let programs = others(
        """
        make gmake bmake remake colormake mingw32-make nmake pmake
        ninja ninja-build samu
        mvn mvnd mvnw ./mvnw
        gradle gradlew ./gradlew
        invoke inv
        task go-task
        python3 python
        node nodejs
        pytest py.test
        yarn yarnpkg
        """)

    /// `python3.11`, `pip3` and `pytest-3` by the usual name, and programs of Windows without their suffix.
    private static func unversioned(_ name: String) -> String? {
        let plain = PowerShellText.withoutSuffix(name)
        if plain != name, !name.utf8.contains(UInt8(ascii: "/")) { return plain }
        for (front, usual) in [("python", "python3"), ("pip", "pip"), ("pytest-", "pytest")] {
            let version = name.utf8.starts(with: front.utf8) ? name.utf8.dropFirst(front.utf8.count) : "".utf8[...]
            let isVersion = version.allSatisfy { ShellCharacters.isDigit($0) || $0 == UInt8(ascii: ".") }
            if !version.isEmpty, isVersion, name != usual { return usual }
        }
        return nil
    }

    /// Programs of git's own directory, and of docker's older releases, that are named as two words are.
    private static func separated(_ name: String) -> [String]? {
        if name == "docker-compose" { return ["docker", "compose"] }
        guard name.utf8.starts(with: "git-".utf8), name.utf8.count > 4 else { return nil }
        return ["git", String(name.unicodeScalars.dropFirst(4))]
    }

    /// Renames the subcommand. A word behind an option may be its value or the subcommand, so that the next word counts, too.
    /// - Returns: the places of the words that may be the subcommand.
    private static func rename(_ words: inout [String], with names: Names) -> [Int] {
        var places: [Int] = []
        for place in words.indices.dropFirst() where !isOption(words[place]) {
            words[place] = names.usual(words[place])
            places.append(place)
            guard isOption(words[place - 1]), !words[place - 1].utf8.contains(UInt8(ascii: "=")),
                places.count < mostPlaces
            else { break }
        }
        return places
    }

    /// `yarn run x` and `yarn x` are one, and so are `npm run test` and `npm test`.
    private static func leaveOutRun(_ words: inout [String], at place: Int, isNPM: Bool) {
        guard let next = words[(place + 1)...].first(where: { !isOption($0) }), !isNPM || lifecycle.contains(next)
        else {
            return
        }
        words.remove(at: place)
    }

    /// Leaves out what only says where a command runs, or on what kind of thing: `yarn workspace a x`,
    /// `yarn workspaces foreach -A x`, `pnpm recursive x`, `docker container rm`.
    private static func leaveOutGroup(_ words: inout [String], at place: Int) {
        let group = words[place]
        guard words.count > place + 1 else { return }
        words.removeSubrange(place..<min(words.count, group == "workspace" ? place + 2 : place + 1))
        guard words.indices.contains(place) else { return }
        switch (group, words[place]) {
        case ("workspaces", "foreach"): words.remove(at: place)
        case ("container", "remove"): words[place] = "rm"
        case ("image", "remove"), ("image", "rm"): words[place] = "rmi"
        default: return
        }
        if group == "workspaces" {
            words.removeSubrange(place..<(words[place...].firstIndex { !isOption($0) } ?? place))
        }
    }

    private static let groups: Set<String> = ["container", "image", "recursive", "workspace", "workspaces"]
    private static let mostPlaces = 8
    private static let lifecycle: Set<String> = ["restart", "start", "stop", "test"]

    /// True also for `+nightly`.
    private static func isOption(_ word: String) -> Bool { word.utf8.first.map { "-+".utf8.contains($0) } ?? false }

    /// The names of one program's subcommands.
    private struct Names {
        /// The usual name for each other one.
        let others: [String: String]
        /// All names, if any beginning of one stands for it; npm takes also `runScript` for `run-script`.
        var all: [String] = []
        /// True if `run` may be left out, or a script has a subcommand of its own.
        var leavesOutRun = false

        func usual(_ word: String) -> String {
            if let name = others[word] { return name }
            guard !all.isEmpty, word.utf8.count <= Self.longest else { return word }
            var dashed = ""
            for scalar in word.unicodeScalars {
                let isCapital = ("A"..."Z").contains(scalar)
                dashed += isCapital ? "-" + String(scalar).lowercased() : String(scalar)
            }
            if let name = others[dashed] { return name }
            guard !all.contains(dashed) else { return dashed }
            let possible = Set(all.filter { $0.utf8.starts(with: dashed.utf8) }.map { others[$0] ?? $0 })
            return possible.count == 1 && !dashed.isEmpty ? possible.first ?? word : word
        }

        private static let longest = 32
    }

    /// - Parameter text: each usual name, followed by its others, on a line.
    private static func others(_ text: String) -> [String: String] {
        var others: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let names = line.split(separator: " ").map(String.init)
            for name in names.dropFirst() { others[name] = names[0] }
        }
        return others
    }

    private static func list(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    /// npm's `lib/utils/cmd-list.js`, of several releases.
    private static let namesOfNPM = others(
        """
        run run-script rum urn
        exec x
        test t tst
        install add i in ins inst insta instal isnt isnta isntal isntall
        install-test it
        ci clean-install ic install-clean isntall-clean
        install-ci-test cit clean-install-test sit
        uninstall unlink remove rm r un
        update up upgrade udpate
        init create innit
        link ln
        ls list la ll
        config c
        search find s se
        view info show v
        rebuild rb
        dedupe ddp
        dist-tag dist-tags
        docs home
        bugs issues
        owner author
        org ogr
        explain why
        version verison
        help hlep
        adduser add-user
        """)

    private static let commandsOfNPM = list(
        """
        access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs doctor edit exec explain \
        explore find-dupes fund get help help-search hook init install install-ci-test install-test link login logout ls \
        org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom search \
        set shrinkwrap star stars start stop team test token trust undeprecate uninstall unpublish unstar update version \
        view whoami
        """)

    private static let names: [String: Names] = [
        "npm": Names(others: namesOfNPM, all: commandsOfNPM + namesOfNPM.keys, leavesOutRun: true),
        "pnpm": Names(
            others: others(
                """
                run run-script
                test t tst
                install i
                install-test it
                remove rm un uninstall
                update up upgrade
                link ln
                recursive m multi
                rebuild rb
                list la ll ls
                """), leavesOutRun: true),
        "yarn": Names(others: [:], leavesOutRun: true),
        "bun": Names(others: others("install i\nadd a\nremove rm\nrun run-script"), leavesOutRun: true),
        "cargo": Names(others: others("build b\ncheck c\ndoc d\nrun r\ntest t\nremove rm")),
        "docker": Names(others: [:]),
        "git": Names(others: others("add stage")),
        "helm": Names(others: others("uninstall delete del un\nlist ls\ninstall i\nupgrade up")),
    ]
}
