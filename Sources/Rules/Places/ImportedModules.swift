import Text

/// The modules of Python that a text imports: `from tools import lint, fmt`, `import_module("lib.x")`.
///
/// Python finds them from the directory where it was started, and from that of the script; scripts often add those above.
/// See "The import statement" in Python's reference, 7.11.
struct ImportedModules {
    private struct Module {
        /// The number of dots in front.
        let levels: Int
        let parts: [[UInt8]]
    }

    private enum State { case other, behindFrom, inModule, names, imports, behindLoader }

    private struct Names {
        /// The parts, joined, of each module, and of each with those in front of it.
        var wholes: Set<[UInt8]> = []
        var packages: Set<[UInt8]> = []
    }

    /// By the number of dots in front.
    private var names: [Int: Names] = [:]
    private var count = 0
    var isEmpty: Bool { names.isEmpty }
    private var state = State.other
    private var module = Module(levels: 0, parts: [])
    private var isRenamed = false
    private var isBracketed = false

    /// Where there are more, only files that are named otherwise are found.
    private static let most = 2000
    /// The most parts of a module's name; no project has more.
    private static let deepest = 32

    /// - Parameter text: case folded and without quotation.
    init(in text: [UInt8]) {
        guard text[...].firstPlace(of: "import".utf8) != nil || text[...].firstPlace(of: "run_module".utf8) != nil
        else {
            return
        }
        var end = 0
        for word in text.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) where count < Self.most {
            for byte in text[end..<word.startIndex] { pass(byte) }
            take(word)
            end = word.endIndex
        }
    }

    private mutating func pass(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "("): isBracketed = state == .names
        case UInt8(ascii: ")"): isBracketed = false
        case UInt8(ascii: "#"): if !isBracketed { state = .other }
        case 0x0A, UInt8(ascii: ";"): if !isBracketed { state = .other }
        default: break
        }
    }

    private mutating func take(_ word: ArraySlice<UInt8>) {
        if word.elementsEqual("import".utf8) {
            state = state == .inModule ? .names : .imports
            return
        }
        if word.elementsEqual("from".utf8) {
            state = .behindFrom
            return
        }
        if word.elementsEqual("as".utf8), state == .names || state == .imports {
            isRenamed = true
            return
        }
        if isRenamed {
            isRenamed = false
            return
        }
        switch state {
        case .behindFrom:
            module = Self.module(word)
            add(module)
            state = .inModule
        case .names: add(Module(levels: module.levels, parts: module.parts + [Array(word)]))
        case .imports: add(Self.module(word))
        case .behindLoader:
            add(Self.module(word))
            state = .other
        case .inModule, .other: if Self.loads(word) { state = .behindLoader }
        }
    }

    private static func module(_ word: ArraySlice<UInt8>) -> Module {
        let dots = word.prefix { $0 == UInt8(ascii: ".") }.count
        return Module(levels: dots, parts: word.split(separator: UInt8(ascii: ".")).map { Array($0) })
    }

    private static func loads(_ word: ArraySlice<UInt8>) -> Bool {
        word.split(separator: UInt8(ascii: ".")).last.map { loaders.contains(Array($0)) } == true
    }

    private static let loaders = Set(
        ["__import__", "find_spec", "import_module", "import_string", "run_module"].map { Array($0.utf8) })

    /// True if a file is one of the modules, or a package in front of one.
    /// - Parameters:
    ///   - stem: the file's name without its suffix.
    ///   - bases: the directories of the script whose text it is.
    func load(_ stem: [UInt8], in directory: [[UInt8]], bases: [[[UInt8]]]) -> Bool {
        let isPackage = Self.ofPackages.contains(stem)
        return names.contains { levels, names in
            Self.places(behind: levels, bases).contains { place in
                guard directory.starts(with: place) else { return false }
                let package = directory.dropFirst(place.count)
                if names.wholes.contains(Self.joined(package + [stem])) { return true }
                return isPackage && (package.isEmpty ? levels > 0 : names.packages.contains(Self.joined(package)))
            }
        }
    }

    private static let ofPackages = Set(["__init__", "__main__"].map { Array($0.utf8) })

    /// The directories from which Python may look for a module with so many dots in front.
    private static func places(behind levels: Int, _ bases: [[[UInt8]]]) -> [ArraySlice<[UInt8]>] {
        if levels > 0 { return bases.map { $0.dropLast(levels - 1) } }
        return [[]] + bases.flatMap { base in base.indices.map { base[...$0] } }
    }

    private static func joined(_ parts: some Sequence<[UInt8]>) -> [UInt8] {
        Array(parts.joined(separator: [UInt8(ascii: ".")]))
    }

    private mutating func add(_ module: Module) {
        count += 1
        guard module.levels <= Self.deepest, module.parts.count <= Self.deepest else { return }
        names[module.levels, default: Names()].wholes.insert(Self.joined(module.parts))
        for end in module.parts.indices {
            names[module.levels, default: Names()].packages.insert(Self.joined(module.parts[...end]))
        }
    }
}
