import Text

/// What `DirectoryReader` knows of a command while it reads its words.
struct ReadCommand {
    /// Whether the next word may be what a program is to run.
    enum Operand { case expected, behindOption, done }
    /// Whether words are directories of a path of search: the value of an assignment, the next word, or all of a statement.
    enum SearchPath { case value, word, call }

    private(set) var first: ArraySlice<UInt8> = []
    private(set) var last: ArraySlice<UInt8> = []
    /// The last word that is no option.
    private(set) var program: ArraySlice<UInt8> = []
    private var isProgramAtBegin = false
    private(set) var firstRoles: WordRoles = []
    private(set) var lastRoles: WordRoles = []
    private(set) var programRoles: WordRoles = []
    private var isBehindLoop = false

    /// What a program of this command would run of a directory.
    var kinds: FileKinds?
    private(set) var takesValues = true
    var operand = Operand.expected
    var searchPath: SearchPath?
    var pathKinds = FileKinds.scripts
    private(set) var isGo = false
    var isLoop = false
    var isOfXargs = false

    var lists = false
    /// Of what a command prints the names, and the ends of these.
    var directories: [StartedDirectory.Place] = []
    var ends: [[UInt8]] = []
    var runsListed = false

    /// Another command's value is being stored in the variable that was read last.
    var isAssigned = false
    /// It prints the directory in which it runs, or a script lies.
    var isHere = false
    /// Such a command stands in front.
    var isBehindHere = false

    var isAtBegin: Bool { first.isEmpty || lastRoles.contains(.opening) }
    /// `.` is one where a command begins.
    var isOfInterpreter: Bool {
        programRoles.contains(.interpreter) && (isProgramAtBegin || !program.elementsEqual(".".utf8))
    }
    var loads: Bool { programRoles.contains(.loader) }
    var isBehindOption: Bool { last.first == UInt8(ascii: "-") }
    var isBehindExec: Bool { last.starts(with: "-exec".utf8) || last.starts(with: "-ok".utf8) }
    var isBehindName: Bool { lists && lastRoles.contains(.nameOption) }
    var isFind: Bool { first.elementsEqual("find".utf8) || program.elementsEqual("find".utf8) }
    var isBehindDirectoryOption: Bool { lastRoles.contains(.directoryOption) }
    var isEntering: Bool { !lastRoles.isDisjoint(with: [.directoryOption, .enters]) }
    var builtKinds: FileKinds? {
        program.split(separator: UInt8(ascii: "/")).last.flatMap { FileKinds.built[Array($0)] }
    }

    /// What it prints the names of.
    var listed: [StartedDirectory] {
        guard lists else { return [] }
        let directories = directories.prefix(Self.mostListed)
        let ends = ends.prefix(Self.mostListed)
        let places = directories.isEmpty ? [.treeHere] : directories.map { Self.withAllBelow($0) }
        let kinds = ends.isEmpty || ends.contains([]) ? [FileKinds.scripts] : ends.map { .end($0) }
        // Of more, any may be printed.
        if self.directories.count > Self.mostListed || self.ends.count > Self.mostListed {
            return [StartedDirectory(place: .anywhere, kinds: .scripts)]
        }
        return places.flatMap { place in kinds.map { StartedDirectory(place: place, kinds: $0) } }
    }

    private static let mostListed = 16

    private static func withAllBelow(_ place: StartedDirectory.Place) -> StartedDirectory.Place {
        if case .here = place { .treeHere } else { place }
    }

    /// Begins a program that may be given a directory.
    mutating func begin(_ kinds: FileKinds, takesValues: Bool) {
        self.kinds = kinds
        self.takesValues = takesValues
        operand = .expected
    }

    /// Begins another command of the same words.
    mutating func begin() {
        lists = false
        directories = []
        ends = []
    }

    mutating func note(_ word: ArraySlice<UInt8>, _ roles: WordRoles) {
        if isBehindLoop, word.elementsEqual("in".utf8) { isLoop = true }
        isBehindLoop = lastRoles.contains(.loop)
        if roles.contains(.xargs) { isOfXargs = true }
        if word.count == 2, word.elementsEqual("go".utf8) { isGo = true }
        let isOption = word.first == UInt8(ascii: "-")
        if !isOption { (isProgramAtBegin, program, programRoles) = (isAtBegin, word, roles) }
        if first.isEmpty { (first, firstRoles) = (word, roles) }
        (last, lastRoles) = (word, roles)
    }

    /// The kinds that are loaded from a path of search.
    static func pathKinds(of word: ArraySlice<UInt8>) -> FileKinds {
        if word.starts(with: "sys.path".utf8) || word.firstPlace(of: "pythonpath".utf8) != nil { return .python }
        return word.firstPlace(of: "node_path".utf8) != nil ? .javaScript : .scripts
    }

    /// True for a variable or a statement that says where a language looks for what it loads.
    func isSearchPath(_ word: ArraySlice<UInt8>, _ roles: WordRoles) -> Bool {
        if !roles.isDisjoint(with: [.directoryOfCode, .path, .pathOption]) { return true }
        if word.elementsEqual("lib".utf8) { return last.elementsEqual("use".utf8) }
        if word.elementsEqual("-i".utf8) { return programRoles.contains(.withPaths) }
        let parts = ["lib", "loadtasks", "path", "sitedir"]
        guard word.count > 7, parts.contains(where: { word.firstPlace(of: $0.utf8) != nil }) else { return false }
        if word.starts(with: "sys.path".utf8) || word.elementsEqual("package.path".utf8) { return true }
        return word.split(whereSeparator: { ".[]".utf8.contains($0) }).contains { WordRoles(of: $0).contains(.path) }
    }
}
