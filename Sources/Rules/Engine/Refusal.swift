/// The reason why a command has no key.
enum Refusal: Error, Sendable, Hashable {
    case behindPipe
    case broadRoot
    case changeOfDirectory
    case directory(String)
    case expansion(String)
    case mayChange(String)
    case missing(String)
    case noRow(String)
    case operand(String)
    case option(String)
    case outside(String)
    case protectedRoot
    case remote(String)
    case repository
    case replaced(String)
    case runsByItself(String)
    case sensitive(String)
    case tooMany(String)
    case tooMuchBelow(String)
    case tooManyWords
    case tooMuch
    case unusualPath(String)
    case workingDirectory

    /// True if a size limit is the reason.
    var isOfSize: Bool {
        switch self {
        case .tooManyWords, .tooMuch, .tooMuchBelow: true
        default: false
        }
    }

    var description: String {
        switch self {
        case .behindPipe:
            "behind `|` only head, tail, wc, sort, uniq, grep, cut, tr, nl, cat, sed, awk and jq may stand"
        case .broadRoot: "the project directory is a home directory or above one, where a rule would reach too far"
        case .changeOfDirectory: "`cd` counts only as `cd DIR &&` at the start of a line of `&&` and `|`"
        case .directory(let word): "not a plain directory in the project: \(word)"
        case .expansion(let word): "the shell may change this word: \(word)"
        case .mayChange(let word): "a command before it brings files, so nobody knows yet what this names: \(word)"
        case .missing(let what): "\(what) is missing"
        case .noRow(let name): "cdev does not know the command \(name), and so not what a wider rule would allow"
        case .operand(let word): "cdev does not know what this command does with \(word)"
        case .option(let word): "cdev does not know the option \(word) of this command"
        case .outside(let word): "leads outside the project, or may: \(word)"
        case .protectedRoot: "the project directory is one whose files no wider rule covers, or lies in one"
        case .remote(let name):
            name.isEmpty
                ? "a remote git may choose is not told by the repository's own settings, or is a path"
                : "no remote of the repository's own settings, or a path too: \(name)"
        case .repository: "the git repository found there is not the project's own"
        case .replaced(let word): "names what a build may make another file of, which is there already: \(word)"
        case .runsByItself(let word): "names what a program would run or load by itself: \(word)"
        case .sensitive(let word): "names a sensitive file: \(word)"
        case .tooMany(let word): "one word more than cdev knows this command with: \(word)"
        case .tooMuchBelow(let word): "cannot be looked through, or holds too many names for it: \(word)"
        case .tooManyWords: "a command of more than \(LineReader.mostWords) words is not looked at"
        case .tooMuch:
            "more is asked of the disk than one call may: \(DiskLookups.most) lookups, and paths under 4,096 bytes"
        case .unusualPath(let word): "not a file in the project with a plain name: \(word)"
        case .workingDirectory: "it would run outside the project"
        }
    }
}
