import Text

/// Reads a text of commands for `StartedDirectories`, word for word. It may be of a shell, of settings or of any language.
struct DirectoryReader {
    let text: [UInt8]
    private(set) var found: [StartedDirectory] = []
    var command = ReadCommand()
    /// The commands around the one that is read: `node "$(…)"`.
    private var outer: [ReadCommand] = []
    private var brackets: [Bracket] = []
    var variables: [[UInt8]: StartedDirectory.Place] = [:]
    /// The directory that was entered for the commands of this line, and all that ever were.
    var entered: [[UInt8]]?
    var everEntered: [[[UInt8]]] = []
    /// The directories whose names the pipeline gets.
    var piped: [StartedDirectory] = []
    /// Names of packages and programs that are loaded and run, as far as there are not too many.
    private(set) var loaded: [[UInt8]] = []
    private(set) lazy var runsVariables = Self.runsVariables(in: text)

    /// Where there are more directories, any may be meant.
    private static let most = 256
    private static let deepest = 64

    private enum Bracket { case ofCall, ofShell, tick }

    init(_ text: [UInt8]) { self.text = text }

    mutating func read() -> [StartedDirectory] {
        var end = 0
        for word in text.split(whereSeparator: { !Self.isOfWord($0) }) {
            for index in end..<word.startIndex { pass(index) }
            take(word)
            end = word.endIndex
        }
        for index in end..<text.endIndex { pass(index) }
        endCommand(isPiped: false)
        let isHere = { (place: StartedDirectory.Place) in if case .here = place { true } else { false } }
        for directory in found.prefix(Self.most) where isHere(directory.place) {
            for parts in everEntered.prefix(Self.most) { add(.named(parts), directory.kinds) }
        }
        let isTooMuch = found.count > Self.most || everEntered.count > Self.most
        return isTooMuch ? [StartedDirectory(place: .anywhere, kinds: .end([]))] : found
    }

    /// Notes what is loaded by name: `require("core/x")`, `import "@me/core"`, `npx tool`.
    mutating func takeLoaded(_ word: ArraySlice<UInt8>) {
        // `npx -y tool`
        let front = command.isBehindOption ? command.programRoles : command.lastRoles
        guard !front.isDisjoint(with: [.loader, .runsPackage]), loaded.count < Self.most else { return }
        let first = word.first
        guard first != UInt8(ascii: "."), first != UInt8(ascii: "/"), first != UInt8(ascii: "-") else { return }
        let isScoped = before(word.startIndex) == UInt8(ascii: "@")
        let parts = word.split(separator: UInt8(ascii: "/")).prefix(isScoped ? 2 : 1)
        loaded.append((isScoped ? [UInt8(ascii: "@")] : []) + Array(parts.joined(separator: [UInt8(ascii: "/")])))
    }

    mutating func add(_ place: StartedDirectory.Place, _ kinds: FileKinds) {
        if found.count <= Self.most { found.append(StartedDirectory(place: place, kinds: kinds)) }
    }

    static func isOfGlob(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }
    static func isOfWord(_ byte: UInt8) -> Bool { ShellCharacters.isFirstWord(byte) || isOfGlob(byte) }
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

// MARK: - Between words

extension DirectoryReader {
    private mutating func pass(_ index: Int) {
        let byte = text[index]
        if command.searchPath == .value, Self.isBlank(byte) { command.searchPath = nil }
        switch byte {
        case UInt8(ascii: "|"):
            let isPipe = before(index) != byte && after(index) != byte
            endCommand(isPiped: isPipe)
        case UInt8(ascii: "&"), UInt8(ascii: ";"): endCommand(isPiped: false)
        case 0x0A where brackets.last != .ofCall:
            endCommand(isPiped: false)
            entered = nil
        case UInt8(ascii: "("): open(at: index)
        case UInt8(ascii: ")"): close(at: index)
        case UInt8(ascii: "`"): brackets.last == .tick ? close(at: index) : open(at: index)
        case UInt8(ascii: ":") where before(index) == UInt8(ascii: "$"): command.searchPath = .call
        default: break
        }
    }

    func before(_ index: Int) -> UInt8 { index > 0 ? text[index - 1] : 0x0A }
    func after(_ index: Int) -> UInt8 { index + 1 < text.count ? text[index + 1] : 0x0A }

    private mutating func open(at index: Int) {
        guard brackets.count < Self.deepest else { return }
        let byte = before(index)
        if text[index] == UInt8(ascii: "`") {
            brackets.append(.tick)
            outer.append(command)
            // In other languages a text stands between them: import(`./x.js`).
            command.begin()
        } else if Self.isOfWord(byte) {
            brackets.append(.ofCall)
        } else {
            if byte == UInt8(ascii: "$"), index > 1, text[index - 2] == UInt8(ascii: "=") { command.isAssigned = true }
            brackets.append(.ofShell)
            outer.append(command)
            command = ReadCommand()
            // A list, through which a loop may go.
            command.isLoop = byte == UInt8(ascii: "=") && runsVariables
        }
    }

    private mutating func close(at index: Int) {
        let isTick = text[index] == UInt8(ascii: "`")
        guard let bracket = brackets.last, (bracket == .tick) == isTick else { return }
        brackets.removeLast()
        guard bracket != .ofCall, let around = outer.popLast() else { return }
        let listed = command.listed.isEmpty ? piped : command.listed
        let isHere = command.isHere
        endCommand(isPiped: false)
        command = around
        if command.isLoop && runsVariables || command.isOfInterpreter || command.isAssigned && runsVariables {
            for directory in listed { add(directory.place, directory.kinds) }
        }
        guard isHere else { return }
        command.isBehindHere = true
        if command.isAssigned { variables[Array(command.last)] = literal(at: index + 1) ?? .here }
        if after(index) != UInt8(ascii: "/") { takeOperand(isDirectory: true) }
    }

    private mutating func endCommand(isPiped: Bool) {
        if command.runsListed { for directory in command.listed { add(directory.place, directory.kinds) } }
        piped = isPiped ? (command.listed.isEmpty ? piped : command.listed) : []
        command = ReadCommand()
    }
}
