import Glibc

/// A part of a row that needs a process of its own: this program, started with `--part NAME …`.
struct Part {
    private let name: String
    private let arguments: [String]

    init?(_ words: [String]) {
        guard words.count >= 2, words[0] == "--part" else { return nil }
        name = words[1]
        arguments = Array(words[2...])
    }

    func run() -> Never {
        do {
            switch name {
            case "agent": try ScriptedAgent.serve(arguments)
            case "decider": try DecideFloor.serve(socket: arguments[0], database: arguments[1])
            case "model": try ScriptedModel.serve(calls: Int(arguments[0]) ?? 1)
            default: throw BenchError("there is no part \(name)")
            }
            exit(0)
        } catch {
            Main.fail("\(error)")
        }
    }
}
