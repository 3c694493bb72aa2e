import Glibc

/// What the command line says.
struct Options {
    private(set) var isJSON = false
    private(set) var isQuick = false
    private(set) var claude = Options.foundClaude
    private(set) var chromium = Options.foundChromium
    private(set) var rows: [Row] = []

    private static let usage = """
        usage: cdev-bench [--json] [--quick] [--claude PATH] [--chromium PATH] [NAME…]

        Measures what cdev costs against what it is compared with. Without a NAME, all of:

        """

    /// Nil where it was said what is wrong, or what there is.
    init?(_ words: [String]) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--claude": claude = words.popFirst()
            case "--chromium": chromium = words.popFirst()
            case "--help":
                Self.help()
                exit(0)
            default:
                guard let row = Row.all.first(where: { $0.name == word }) else {
                    FileError.write("cdev-bench: there is no row `\(word)`; --help names them\n")
                    return nil
                }
                rows.append(row)
            }
        }
        if rows.isEmpty { rows = Row.all }
    }

    private static func help() {
        print(usage + Row.all.map { "  \($0.name): \($0.measures)" }.joined(separator: "\n"))
    }

    /// What `CDEV_E2E_CHROMIUM` names, or this machine's.
    private static var foundChromium: String? {
        getenv("CDEV_E2E_CHROMIUM").map { String(cString: $0) } ?? Programs.find("chromium")
    }

    /// What `CDEV_E2E_CLAUDE` names, or what the Python package `claude-agent-sdk` brings.
    private static var foundClaude: String? {
        if let named = getenv("CDEV_E2E_CLAUDE") { return String(cString: named) }
        let look = "import importlib.util as u; print(u.find_spec('claude_agent_sdk').submodule_search_locations[0])"
        guard let python = Programs.find("python3"), let run = try? Launch(python, ["-c", look]).run(), run.status == 0
        else { return nil }
        let path = String(decoding: run.output.prefix { $0 != 0x0A }, as: UTF8.self) + "/_bundled/claude"
        return access(path, X_OK) == 0 ? path : nil
    }
}
