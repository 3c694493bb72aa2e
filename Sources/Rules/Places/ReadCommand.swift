import Text

/// What `DirectoryReader` knows of a command while it reads its words.
struct ReadCommand {
    /// Whether the next word may be what a program is to run.
    enum Operand { case expected, behindOption, done }
    /// Whether words are directories of a path of search: the value of an assignment, or all of a statement.
    enum SearchPath { case value, call }

    private(set) var first: ArraySlice<UInt8> = []
    private(set) var last: ArraySlice<UInt8> = []
    private var beforeLast: ArraySlice<UInt8> = []
    /// The last word that is no option.
    private(set) var program: ArraySlice<UInt8> = []
    private var isProgramAtBegin = false

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

    var isAtBegin: Bool { first.isEmpty || Self.openings.contains(Array(last)) }
    /// `.` is one where a command begins.
    var isOfInterpreter: Bool {
        ScriptNames.isInterpreter(program) && (isProgramAtBegin || !program.elementsEqual(".".utf8))
    }
    var loads: Bool { ["from", "import", "require"].contains { program.elementsEqual($0.utf8) } }
    var isBehindOption: Bool { last.first == UInt8(ascii: "-") }
    var isBehindExec: Bool { last.starts(with: "-exec".utf8) || last.starts(with: "-ok".utf8) }
    var isBehindName: Bool { lists && Self.names.contains(Array(last)) }
    var isFind: Bool { first.elementsEqual("find".utf8) || program.elementsEqual("find".utf8) }
    var isBehindDirectoryOption: Bool { Self.directoryOptions.contains(Array(last)) }
    var isEntering: Bool {
        isBehindDirectoryOption || ["cd", "pushd"].contains { last.elementsEqual($0.utf8) }
    }
    var builtKinds: FileKinds? {
        program.split(separator: UInt8(ascii: "/")).last.flatMap { FileKinds.built[Array($0)] }
    }

    /// What it prints the names of.
    var listed: [StartedDirectory] {
        guard lists else { return [] }
        let places = directories.isEmpty ? [.treeHere] : directories.map { Self.withAllBelow($0) }
        let kinds = ends.isEmpty || ends.contains([]) ? [FileKinds.scripts] : ends.map { .end($0) }
        return places.flatMap { place in kinds.map { StartedDirectory(place: place, kinds: $0) } }
    }

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

    mutating func note(_ word: ArraySlice<UInt8>) {
        if word.first != UInt8(ascii: "-") { isProgramAtBegin = isAtBegin }
        if first.isEmpty { first = word }
        if word.elementsEqual("in".utf8), ["for", "select"].contains(where: { beforeLast.elementsEqual($0.utf8) }) {
            isLoop = true
        }
        if word.elementsEqual("go".utf8) { isGo = true }
        if ["parallel", "xargs"].contains(where: { word.elementsEqual($0.utf8) }) { isOfXargs = true }
        beforeLast = last
        last = word
        if word.first != UInt8(ascii: "-") { program = word }
    }

    private static func set(_ names: String) -> Set<[UInt8]> {
        Set(names.split(separator: " ").map { Array($0.utf8) })
    }

    /// Words behind which another command begins.
    private static let openings = set("do else exec if sudo then time until while")
    private static let names = set("-iname -ipath -name -path -wholename")
    private static let directoryOptions = set("--chdir --cwd --directory --prefix --project --working-directory")
    private static let paths = set(
        """
        addsitedir classpath cpath include_path load_path lua_cpath lua_path node_path perl5lib perllib pythonpath rubylib \
        set_include_path
        """)
    private static let pathOptions = set("-classpath -cp --class-path")
    private static let withPaths = set("jruby perl prove ruby")

    /// The kinds that are loaded from a path of search.
    static func pathKinds(of word: ArraySlice<UInt8>) -> FileKinds {
        if word.starts(with: "sys.path".utf8) || word.firstPlace(of: "pythonpath".utf8) != nil { return .python }
        return word.firstPlace(of: "node_path".utf8) != nil ? .javaScript : .scripts
    }

    /// True for a variable or a statement that says where a language looks for what it loads.
    static func isSearchPath(
        _ word: ArraySlice<UInt8>, behind last: ArraySlice<UInt8>, of program: ArraySlice<UInt8>
    ) -> Bool {
        if word.starts(with: "sys.path".utf8) || word.elementsEqual("package.path".utf8) { return true }
        if word.elementsEqual("lib".utf8) { return last.elementsEqual("use".utf8) }
        if word.elementsEqual("-i".utf8) { return withPaths.contains(Array(program)) }
        if word.first == UInt8(ascii: "-") { return pathOptions.contains(Array(word)) }
        return word.split(whereSeparator: { ".[]/".utf8.contains($0) }).contains { paths.contains(Array($0)) }
    }
}
