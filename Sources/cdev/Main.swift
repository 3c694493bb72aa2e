import Core
import Glibc
import Host

@main
enum Main {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst()), environment: Environment.process()))
    }

    /// Runs one command line; the one place where a failure becomes a line on stderr and an exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        do throws(Failure) {
            if let first = words.first, ["--help", "-h", "help"].contains(first) {
                Terminal.write(Help.overview(Command.all))
                return 0
            }
            if words.first == "--version" {
                Terminal.write("cdev \(Version.text)\n")
                return 0
            }
            let invocation = try CommandLineParser.parse(
                normalized(words), commands: Command.all, environment: environment)
            try run(invocation)
            return 0
        } catch {
            Terminal.complain("cdev: \(error.message)")
            return error.status.rawValue
        }
    }

    private static func run(_ invocation: Invocation) throws(Failure) {
        guard !invocation.has("--help") else {
            Terminal.write(Help.text(of: invocation.command))
            return
        }
        do {
            try invocation.command.run(invocation)
        } catch let failure as Failure {
            throw failure
        } catch let error as InstallError {
            if case .refused = error { throw Failure(.refused, error.description) }
            throw Failure(.other, error.description)
        } catch {
            throw Failure(.other, String(describing: error))
        }
    }

    /// `token create` is one command; `token` alone is told what there is.
    private static func normalized(_ words: [String]) throws(Failure) -> [String] {
        let families = Set(
            Command.all.compactMap {
                $0.name.split(separator: " ").count > 1 ? $0.name.split(separator: " ").first.map(String.init) : nil
            })
        guard let first = words.first, families.contains(first) else { return words }
        let plain = Command.all.contains { $0.name == first }
        guard words.count > 1, Command.all.contains(where: { $0.name == "\(first) \(words[1])" }) else {
            if plain { return words }
            if words.count > 1, ["--help", "-h"].contains(words[1]) { return ["\(first) create", "--help"] }
            let names = Command.all.map(\.name).filter { $0.hasPrefix(first + " ") }.joined(separator: "`, `")
            throw .usage("`cdev \(first)` is one of `\(names)`")
        }
        return ["\(first) \(words[1])"] + words.dropFirst(2)
    }
}
