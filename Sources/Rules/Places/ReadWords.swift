import Text

/// The words of a text of commands that no program starts as files unless they are whole names: what linters check, the
/// names of tasks and subcommands, git's own words, and addresses.
struct ReadWords {
    /// Where they begin.
    private(set) var starts: Set<Int> = []

    /// - Parameter text: case folded and without quotation.
    init(in text: [UInt8]) {
        var begin = 0
        for index in text.indices where Self.ends.contains(text[index]) {
            take(text[begin..<index], isPiped: text[index] == UInt8(ascii: "|"))
            begin = index + 1
        }
        take(text[begin...], isPiped: false)
        takeAddresses(in: text)
    }

    func contain(_ word: ArraySlice<UInt8>) -> Bool { starts.contains(word.startIndex) }

    private static let ends = Set("\n;&|()`".utf8)

    private mutating func take(_ command: ArraySlice<UInt8>, isPiped: Bool) {
        var words = command.split(whereSeparator: { !ShellCharacters.isFirstWord($0) })[...]
        while let word = words.popFirst() {
            let name = word.lastIndex(of: UInt8(ascii: "/")).map { word[($0 + 1)...] } ?? word
            if let next = words.first {
                // `uv run`, `NODE_ENV=test`
                if Self.withRun.contains(name), next.elementsEqual("run".utf8) { starts.insert(next.startIndex) }
                if Self.variables.contains(name), isBehindSign(next, in: command) { starts.insert(next.startIndex) }
                if Self.launches(name, next) { continue }
            }
            if word.first == UInt8(ascii: "-") { continue }
            if Self.managers.contains(name) {
                if !takeTask(of: name, &words) { return }
                continue
            }
            return takeOperands(of: name, words, in: command, isPiped: isPiped)
        }
    }

    /// True for a program that runs what follows, which is not this one's operand.
    private static func launches(_ name: ArraySlice<UInt8>, _ next: ArraySlice<UInt8>) -> Bool {
        if withRun.contains(name) { return ["run", "tool"].contains { next.elementsEqual($0.utf8) } }
        if name.starts(with: "python".utf8) { return next.elementsEqual("-m".utf8) }
        return launchers.contains(name)
    }

    /// Takes the name of a task. Returns whether a program may stand behind.
    private mutating func takeTask(of manager: ArraySlice<UInt8>, _ words: inout ArraySlice<ArraySlice<UInt8>>) -> Bool
    {
        while let word = words.first, word.first != UInt8(ascii: "-") {
            words.removeFirst()
            if Self.executing.contains(word) { return true }
            starts.insert(word.startIndex)
            if Self.runs.contains(word) { continue }
            // `yarn eslint src`
            if ReadingPrograms.contain(word) { words = [word] + words }
            return !manager.elementsEqual("npm".utf8)
        }
        return false
    }

    private mutating func takeOperands(
        of name: ArraySlice<UInt8>, _ words: ArraySlice<ArraySlice<UInt8>>, in command: ArraySlice<UInt8>, isPiped: Bool
    ) {
        let isOption = { (word: ArraySlice<UInt8>) in word.first == UInt8(ascii: "-") }
        if name.elementsEqual("git".utf8) {
            guard let first = words.first, Self.ofGit.contains(first), !isPiped else { return }
            for word in words { starts.insert(word.startIndex) }
        } else if Self.withSubcommands.contains(name) {
            if let first = words.first { starts.insert(first.startIndex) }
        } else if ReadingPrograms.contain(name) || Self.builders.contains(name) {
            var last: ArraySlice<UInt8> = []
            for word in words {
                let isValue = isOption(last) && !Self.flags.contains(last) || isBehindSign(word, in: command)
                if !isValue, !isOption(word) { starts.insert(word.startIndex) }
                last = word
            }
        }
    }

    private func isBehindSign(_ word: ArraySlice<UInt8>, in command: ArraySlice<UInt8>) -> Bool {
        word.startIndex > command.startIndex && command[word.startIndex - 1] == UInt8(ascii: "=")
    }

    /// `postgresql://localhost/app`
    private mutating func takeAddresses(in text: [UInt8]) {
        guard text[...].firstPlace(of: "://".utf8) != nil else { return }
        var last: ArraySlice<UInt8> = []
        for word in text.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) {
            if word.starts(with: "//".utf8), last.endIndex == word.startIndex - 1,
                text[last.endIndex] == UInt8(ascii: ":"), Self.schemes.contains(last)
            {
                starts.insert(word.startIndex)
            }
            last = word
        }
    }

    private static func set(_ names: String) -> Set<ArraySlice<UInt8>> {
        Set(names.split(separator: " ").map { Array($0.utf8)[...] })
    }

    private static let launchers = set(
        "bunx command do else env exec if nice npx pnpx run then time tool until uvx while")
    private static let withRun = set("hatch pdm pipenv poetry rye uv")
    private static let managers = set("npm pnpm yarn")
    private static let executing = set("dlx exec node x")
    private static let runs = set("run run-script")
    /// Variables that name no file.
    private static let variables = set("app_env ci debug flask_env log_level node_env rack_env rails_env rust_log")
    private static let builders = set("just make ninja task")
    private static let withSubcommands = set("cargo dotnet docker gh go helm kubectl podman swift terraform")
    /// Subcommands that start no program which their words name.
    private static let ofGit = set(
        """
        add blame branch checkout cherry-pick commit describe diff fetch log ls-files merge pull push reset restore \
        rev-parse shortlog show stash status switch tag
        """)
    /// Options behind which no value stands.
    private static let flags = set(
        """
        -b -j -k -l -q -s -v -w --apply --cache --check --color --diff --exit-zero --fix --fix-only --ignore-unknown \
        --list-different --no-cache --no-color --no-error-on-unmatched-pattern --noemit --pretty --quiet --show-fixes \
        --staged --strict --verbose --write
        """)
    private static let schemes = set(
        """
        amqp amqps clickhouse ftp git http https ldap ldaps mariadb mongodb mongodb+srv mqtt mssql mysql nats postgres \
        postgresql redis rediss s3 sftp smtp ssh tcp udp ws wss
        """)
}
