import Text

/// Texts that programs get as messages, patterns and the like, and those that they may run.
struct PassedTexts {
    private let words: [String]
    /// The place of the program if the texts that it takes are known.
    private let start: Int?
    private let name: String
    /// The subcommand of git.
    private let subcommand: String
    /// True for a script of awk that starts commands, which a variable may hold.
    private let mayStartVariable: Bool
    /// True if a package's script gets the texts, such as the name of a test.
    private let areForScript: Bool

    init(_ words: [String], _ start: Int?) {
        self.words = words
        self.start = start
        name = start.map { DeniedCommand.baseName(words[$0]) } ?? ""
        mayStartVariable = Self.starting.contains(name) && words.contains { $0.holds("system") || $0.holds("|") }
        let command = start.map { words[$0...] } ?? DeniedCommand.innermost(of: words)
        let usual = DeniedCommand.canonical(Array(command.prefix(Self.mostWords)))
        subcommand = usual.dropFirst().first ?? ""
        areForScript =
            Self.managers.contains(usual.first ?? "") && usual.dropFirst().contains { Self.scripts.contains($0) }
    }

    /// True unless the word at a place is known to be no line that some shell gets.
    func mayRun(at place: Int) -> Bool {
        let (word, before) = (words[place], words[place - 1])
        guard let start, place > start else { return !Self.isMessage(word, behind: before) && !areForScript }
        if name == "git" { return mayGitRun(word, behind: before) }
        if Self.assigning.contains(name) {
            return DeniedCommand.isAssignment(word) || word.isOption("--eval") || before == "--eval" || before == "-E"
        }
        if mayStartVariable { return DeniedCommand.isAssignment(word) }
        if Self.editing.contains(name) { return SedScript.runsCommands(word) }
        let options = Self.running[name]
        if word.utf8.first == UInt8(ascii: "+") || name == "gh" && word.utf8.first == UInt8(ascii: "!") {
            return options != nil
        }
        if Self.isLong(word) || Self.isLong(before) && !before.utf8.contains(UInt8(ascii: "=")) {
            return options != nil && !Self.isMessage(word, behind: before)
        }
        return options?.contains { before == $0 || word.utf8.starts(with: $0.utf8) } ?? false
    }

    /// True for the value of an option that takes a text: `--title 'git push'`, `--title='git push'`, `-am 'git push'`.
    private static func isMessage(_ word: String, behind option: String) -> Bool {
        if messages.contains(option) || messages.contains(where: word.isOption) { return true }
        return isShort(option) && option.utf8.last.map { "mkt".utf8.contains($0) } == true
            || isShort(word) && word.utf8.starts(with: "-m".utf8)
    }

    private static func isShort(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") && !isLong(word) }
    private static func isLong(_ word: String) -> Bool { word.utf8.starts(with: "--".utf8) }

    private func mayGitRun(_ word: String, behind before: String) -> Bool {
        if Self.isShort(word) {
            // `-S…` and `-am…` take texts.
            let letters = word.utf8.dropFirst().prefix { !" \t\n".utf8.contains($0) }
            return !letters.contains { "mSGF".utf8.contains($0) } && letters.first != UInt8(ascii: "e")
        }
        if Self.isLong(word) {
            return !Self.isMessage(word, behind: "") && !Self.textsOfGit.contains(where: word.isOption)
        }
        guard subcommand != "grep", !Self.textsOfGit.contains(before) else { return false }
        if before.utf8.first == UInt8(ascii: "-") { return !Self.isMessage(word, behind: before) }
        return !Self.takingOperands.contains(subcommand)
    }

    private static let mostWords = 16
    private static let managers: Set<String> = ["bun", "npm", "pnpm", "yarn"]
    private static let scripts: Set<String> = ["run", "start", "test"]

    private static func set(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    /// Options, of whatever program, whose value is a message, a pattern or the like.
    private static let messages = set(
        """
        --body --comment --data --data-binary --data-raw --data-urlencode --desc --description --field --format \
        --grep --header --jq --label --message --msg --name --notes --pattern --prompt --query --raw-field --regexp \
        --search --subject --summary --template --test-name-pattern --testNamePattern --text --title -k -m -t
        """)
    /// The same of git.
    private static let textsOfGit = set(
        """
        --after --author --before --committer --date --file --pretty --since --trailer --until -F -G -S
        """)
    /// Subcommands of git whose operands are names, paths and patterns.
    private static let takingOperands = set(
        """
        add am apply archive blame branch checkout cherry-pick clean clone commit describe diff fetch format-patch init log \
        ls-files ls-remote merge mv notes pull push rebase reflog reset restore revert rm shortlog show stash status \
        switch tag worktree
        """)
    /// Commands that only set variables, of which some name a program: `export PAGER='…'`.
    private static let assigning = set("declare export local make readonly typeset gmake")
    private static let editing = set("gsed sed")
    /// Programs that start what a variable holds if their script does: `awk -v c='git push' 'BEGIN{system(c)}'`.
    private static let starting = set("awk gawk mawk nawk")
    /// Programs whose texts are known which run the values of some options, and those of them that are no long ones.
    private static let running: [String: Set<String>] = [
        "ack": [], "ag": [], "apt": ["-o"], "apt-get": ["-o"], "bat": [], "brew": [], "emacs": [], "gh": [], "less": [],
        "man": ["-P"], "more": [], "nvim": ["-c"], "rg": [], "rsync": ["-e"], "scp": ["-S", "-o"], "sort": [],
        "split": [],
        "tar": ["-I", "-F"], "vi": ["-c"], "vim": ["-c"], "wget": [], "zip": ["-TT"],
    ]
}
