import Agents
import Core
import Glibc

/// The program `cdev`.
package enum CommandTool {
    /// Runs the command line of this process and ends it with the exit status.
    package static func main() -> Never {
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst()), environment: Environment.process()))
    }

    /// Runs one command line and returns the exit status. A failure is written to stderr here and nowhere else.
    private static func run(_ words: [String], environment: [String: String]) -> Int32 {
        do throws(CommandFailure) {
            switch words.first {
            case "--help", "-h": Terminal.write(Help.overview(CommandGroup.all, width: TerminalLines.ofProse))
            case "help": try help(Array(words.dropFirst()), environment)
            case let word? where words.count == 2 && ["--help", "-h"].contains(words[1]):
                try help([word], environment)
            case Completion.query: Terminal.write(Completion.answer(Array(words.dropFirst()), environment))
            case "--version": Terminal.write("cdev \(Version.text)\n")
            default: try run(CommandLineParser.parse(words, commands: Command.all, environment: environment))
            }
            return 0
        } catch {
            Terminal.complain("cdev: \(error.message)")
            return error.status.rawValue
        }
    }

    /// `cdev help`, `cdev help COMMAND`.
    private static func help(_ words: [String], _ environment: [String: String]) throws(CommandFailure) {
        guard !words.isEmpty, !["--help", "-h"].contains(words[0]) else {
            return Terminal.write(Help.overview(CommandGroup.all, width: TerminalLines.ofProse))
        }
        if words.count == 1, let family = Help.family(words[0], among: Command.all, width: TerminalLines.ofProse) {
            return Terminal.write(family)
        }
        let invocation = try CommandLineParser.parse(
            words + ["--help"], commands: Command.all, environment: environment)
        Terminal.write(Help.text(of: invocation.command, width: TerminalLines.ofProse))
    }

    private static func run(_ invocation: Invocation) throws(CommandFailure) {
        guard !invocation.has("--help") else {
            Terminal.write(Help.text(of: invocation.command, width: TerminalLines.ofProse))
            return
        }
        do {
            try invocation.command.run(invocation)
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as InstallError {
            if case .refused = error { throw CommandFailure(.refused, error.description) }
            throw CommandFailure(.other, error.description)
        } catch {
            throw CommandFailure(.other, String(describing: error))
        }
    }
}
