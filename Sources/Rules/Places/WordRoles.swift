/// What a word of a text of commands may be, so that each is looked up once.
struct WordRoles: OptionSet {
    let rawValue: UInt32

    /// A program that runs files, or a word of a language that loads them.
    static let interpreter = WordRoles(rawValue: 1 << 0)
    static let loader = WordRoles(rawValue: 1 << 1)
    /// Programs that may be given a directory.
    static let javaScript = WordRoles(rawValue: 1 << 2)
    static let python = WordRoles(rawValue: 1 << 3)
    static let runner = WordRoles(rawValue: 1 << 4)
    /// `bun run .`
    static let subcommand = WordRoles(rawValue: 1 << 5)
    /// Behind this option stands no file to be run, nor anything behind that.
    static let ending = WordRoles(rawValue: 1 << 6)
    static let directoryOption = WordRoles(rawValue: 1 << 7)
    static let nameOption = WordRoles(rawValue: 1 << 8)
    /// Prints names of files.
    static let lists = WordRoles(rawValue: 1 << 9)
    /// Behind this word another command begins.
    static let opening = WordRoles(rawValue: 1 << 10)
    static let xargs = WordRoles(rawValue: 1 << 11)
    /// Runs the program behind it.
    static let launcher = WordRoles(rawValue: 1 << 12)
    static let enters = WordRoles(rawValue: 1 << 13)
    /// A variable or a statement that says where a language looks for what it loads; an option that does.
    static let path = WordRoles(rawValue: 1 << 14)
    static let pathOption = WordRoles(rawValue: 1 << 15)
    /// Of these `-I` is such an option.
    static let withPaths = WordRoles(rawValue: 1 << 16)
    /// See `ReadingPrograms`.
    static let reads = WordRoles(rawValue: 1 << 17)
    /// Prints the directory in which it runs, or in which a script lies.
    static let here = WordRoles(rawValue: 1 << 18)
    static let runParts = WordRoles(rawValue: 1 << 19)
    static let loop = WordRoles(rawValue: 1 << 20)
    /// What stands behind may be a program of an installed package.
    static let runsPackage = WordRoles(rawValue: 1 << 21)
    /// Behind this option stands one directory of which a program loads every file.
    static let directoryOfCode = WordRoles(rawValue: 1 << 22)

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// - Parameter word: case folded, with or without directories.
    init(of word: ArraySlice<UInt8>) {
        let name = word.lastIndex(of: UInt8(ascii: "/")).map { word[($0 + 1)...] } ?? word
        var roles = Self.table[name] ?? []
        if roles.isEmpty, Self.isPython(name) { roles = [.interpreter, .python] }
        self = name.count == word.count ? roles : roles.intersection(Self.programs)
    }

    /// True for `python3.12` and its like.
    private static func isPython(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, first == UInt8(ascii: "p") else { return false }
        return ["python", "pypy"].contains { front in
            name.starts(with: front.utf8)
                && name.dropFirst(front.utf8.count).allSatisfy {
                    $0 == UInt8(ascii: ".") || ShellCharacters.isDigit($0)
                }
        }
    }

    private static let programs: WordRoles = [
        .interpreter, .javaScript, .launcher, .lists, .python, .reads, .runner, .runParts, .withPaths, .xargs,
    ]

    private static let names: [(WordRoles, String)] = [
        (
            .interpreter,
            """
            . bash bun dash deno fish from gunicorn import ksh load lua node nodejs perl php pwsh require require_relative \
            ruby run sh source ts-node tsx uv uvicorn zsh
            """
        ),
        (.loader, "from import require"),
        (.javaScript, "bun deno node nodejs nodemon ts-node ts-node-esm tsx vite-node"),
        (.python, "pipx uv uvx"), (.runner, "bunx npx pnpx"), (.subcommand, "exec run watch x"),
        (.ending, "-c -e -m -p --eval --print --test"),
        (.directoryOption, "--chdir --cwd --directory --prefix --project --working-directory"),
        (.nameOption, "-iname -ipath -name -path -wholename"), (.lists, "fd fdfind find ls ls-files"),
        (.opening, "do else exec if sudo then time until while"), (.xargs, "parallel xargs"),
        (.launcher, "bunx npx pnpx run uv uvx"), (.enters, "cd pushd"),
        (
            .path,
            """
            addsitedir classpath cpath include_path load_path loadtasks lua_cpath lua_path node_path perl5lib perllib \
            pythonpath rubylib set_include_path
            """
        ),
        (.directoryOfCode, "--rulesdir"), (.pathOption, "-classpath -cp --class-path"),
        (.withPaths, "jruby perl prove ruby"),
        (.reads, ReadingPrograms.names), (.here, "dirname pwd --show-toplevel"), (.runParts, "run-parts"),
        (.loop, "for select"), (.runsPackage, "bunx dlx exec npx pnpm pnpx run yarn"),
    ]

    private static let table: [ArraySlice<UInt8>: WordRoles] = names.reduce(into: [:]) { table, list in
        for name in list.1.split(separator: " ") { table[Array(name.utf8)[...], default: []].formUnion(list.0) }
    }
}
