/// The kinds of files that are started in a directory, by the ends of their names.
enum FileKinds {
    /// The name ends so; any name, if empty.
    case end([UInt8])
    /// What stands behind the last dot is one of these. An empty one stands for names without a dot.
    case suffixes(Set<ArraySlice<UInt8>>)

    /// - Parameter name: case folded.
    func contain(_ name: [UInt8]) -> Bool {
        switch self {
        case .end(let end): name.suffix(end.count).elementsEqual(end)
        case .suffixes(let list):
            list.contains(name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? [])
        }
    }

    /// All but data and prose, whose words start nothing.
    static let scripts = FileKinds.suffixes(
        list("awk bash cjs cts fish js jsx ksh lua mjs mts nu php pl pm ps1 psm1 py pyw r rb sed sh tcl ts tsx zsh")
            .union([[]]))
    /// The same with texts that an agent reads as instructions.
    static let instructions = FileKinds.suffixes(list("cjs js md mdc mdx mjs ps1 py rb sh ts"))
    /// Files that name what a manager starts, or further ones.
    static let settings = of("cfg gradle groovy ini json json5 jsonc just kts mak mk rake toml xml yaml yml")
    static let javaScript = of("cjs cts js jsx mjs mts ts tsx")
    static let python = of("py pyw")
    /// Files that no program runs.
    static let prose = of("css csv htm html json jsonc less markdown md mdx rst scss svg toml txt xml yaml yml")
    /// The part of `prose` that programs only read; the others may be settings, which name what is started.
    static let texts = of("css csv htm html less markdown md mdx rst scss svg txt")
    /// With what cgo compiles.
    static let ofGo = of("asm c cc cpp cxx f go h hh hpp hxx m s")

    /// The files that `PROGRAM run` builds and starts.
    static let built: [[UInt8]: FileKinds] = Dictionary(
        uniqueKeysWithValues: [
            ("cabal", of("hs lhs")), ("cargo", of("rs")), ("dart", of("dart")), ("dotnet", of("cs fs vb")),
            ("go", ofGo),
            ("gradle", of("groovy java kt scala")), ("gradlew", of("groovy java kt scala")),
            ("mix", of("eex ex exs heex")),
            ("stack", of("hs lhs")), ("swift", of("c cpp h m mm swift")), ("zig", of("c h zig")),
        ].map { (Array($0.0.utf8), $0.1) })

    private static func of(_ names: String) -> FileKinds { .suffixes(list(names)) }

    private static func list(_ names: String) -> Set<ArraySlice<UInt8>> {
        Set(names.split(separator: " ").map { Array($0.utf8)[...] })
    }
}
