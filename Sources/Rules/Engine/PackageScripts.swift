/// The scripts of a package, which many programs run.
enum PackageScripts {
    /// The commands of npm that a program runs for the names of scripts among its words: `run-s build deploy`,
    /// `concurrently npm:deploy`, `node --run deploy`.
    /// - Parameter command: as `DeniedCommand.canonical` returns it.
    static func commands(of command: [String]) -> [[String]] {
        if let name = command.first, name == "npm" || name == "pnpm" {
            // The first may be an option's value.
            let operands = command.dropFirst().lazy.filter { !isOption($0) }.prefix(2)
            if operands.contains(where: testing.contains), !operands.contains("run") { return [[name, "test"]] }
        }
        return scripts(of: command).map { ["npm", "run", $0] }
    }

    /// Subcommands that install and then run the script `test`.
    private static let testing: Set<String> = ["install-ci-test", "install-test"]

    private static func scripts(of command: [String]) -> [String] {
        let operands = command.dropFirst()
        switch command.first ?? "" {
        case "npm-run-all", "npm-run-all2", "run-p", "run-s", "run-z":
            // More than are compared may be any.
            guard operands.count <= mostOperands else { return [FilledPlaces.input] }
            return operands.filter { !isOption($0) }.map { first(of: $0[...]) }
        case "concurrently":
            guard operands.count <= mostOperands else { return [FilledPlaces.input] }
            return operands.compactMap { word in
                managers.first { word.utf8.starts(with: "\($0):".utf8) }.map {
                    first(of: word.dropFirst($0.utf8.count + 1))
                }
            }
        case "node":
            let next = operands.firstIndex(of: "--run").map { command[$0...].dropFirst().prefix(1) } ?? []
            let attached = operands.first { $0.isOption("--run") }.map { String($0.dropFirst(6)) }
            return next + (attached.map { [$0] } ?? [])
        default: return []
        }
    }

    /// The scripts that the command of any package manager or task runner may run; none for other commands.
    /// - Parameter command: as `DeniedCommand.canonical` returns it.
    static func scripts(ofAny command: [String]) -> [String] {
        let places = Array(command.indices.dropFirst().lazy.filter { !isOption(command[$0]) }.prefix(mostOperands))
        guard let name = command.first, let place = places.first else { return [] }
        let first = command[place]
        let others: [String] = places.dropFirst().map { command[$0] }
        switch name {
        case "npm": return first == "run" ? Array(others.prefix(1)) : lifecycle.contains(first) ? [first] : []
        case "bun", "pnpm", "yarn":
            // Behind an option its value may stand.
            let before = command[place - 1]
            let words = isOption(before) ? [first] + others.prefix(1) : [first]
            return words.dropFirst(DeniedCommand.valued.contains(before) ? 1 : 0).filter { !commands.contains($0) }
        case "nx", "turbo":
            return tasks(in: runningMany.contains(first) ? others : [first], command)
        case "lerna", "wsrun": return first == "run" ? Array(others.prefix(1)) : []
        case "deno": return first == "task" ? Array(others.prefix(1)) : []
        case "nps", "ntl": return [first]
        default: return []
        }
    }

    /// The tasks that words name, with a project in front or not, and those that an option names: `a:deploy`, `--targets=a,b`.
    private static func tasks(in words: [String], _ command: [String]) -> [String] {
        let options = command.prefix(mostWords).filter { $0.isOption("--target") || $0.isOption("--targets") }
        let lists = words + options.compactMap { $0.split(separator: "=").last.map(String.init) }
        let names: [Substring] = lists.flatMap { $0.split(separator: ",") }
        return names.compactMap { $0.split(separator: ":").last.map(String.init) }
    }

    /// Subcommands behind which a task runner takes several scripts.
    private static let runningMany: Set<String> = ["affected", "run", "run-many"]

    private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }

    private static func first(of text: Substring) -> String {
        text.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
    }

    private static let mostOperands = 64
    private static let mostWords = 200
    private static let managers = ["bun", "deno", "node", "npm", "pnpm", "yarn"]
    private static let lifecycle: Set<String> = ["restart", "start", "stop", "test"]
    /// Subcommands of bun, pnpm and yarn, which are no scripts.
    private static let commands: Set<String> = [
        "add", "audit", "autoclean", "bin", "build-binary", "cache", "config", "create", "dedupe", "dlx", "exec",
        "fetch",
        "global", "import", "info", "init", "install", "licenses", "link", "list", "login", "logout", "node", "npm",
        "outdated",
        "pack", "patch", "plugin", "pm", "publish", "rebuild", "remove", "root", "run", "search", "set", "store",
        "unlink",
        "update", "upgrade", "version", "versions", "view", "why", "x",
    ]
}
