import Agents
import Core
import Host
import Platform
import Services

/// Asks Claude Code's model once, in a process that only answers.
final class ClaudeCompletions: PlainCompletions {
    private let installation: ClaudeInstallation
    /// Two at a time, and a few more that wait.
    private let lane = WorkLane(threads: 2, mostWeight: 8)

    /// A proxy cuts a connection that is silent for a minute.
    private static let seconds: Double = 50

    init(installation: ClaudeInstallation) {
        self.installation = installation
    }

    func complete(_ prompt: String, model: String?) async throws(ChildFailure) -> TurnEnd {
        let answer = await lane.run(weight: 1) { [installation] in
            Result { () throws(ChildFailure) in try Self.run(prompt, model, installation) }
        }
        guard let answer else { throw ChildFailure("too many plain completions are asked for; try again in a moment") }
        return try answer.get()
    }

    private static func run(
        _ prompt: String, _ model: String?, _ installation: ClaudeInstallation
    ) throws(ChildFailure) -> TurnEnd {
        let path = try installation.program()
        let run = ChildProcess.run(
            [path] + ClaudeProgram.completionArguments(model: model),
            environment: ClaudeProgram.completionEnvironment(from: installation.environment), input: prompt,
            seconds: seconds)
        guard let run else { throw ChildFailure("\(path) could not be started") }
        if run.isTimedOut { throw ChildFailure("the model did not answer within \(Int(seconds)) s") }
        var stream = ClaudeStream(agentID: "", mode: .default)
        guard case .turnEnd(let end)? = stream.read(Array(run.output.utf8)).output else {
            let said = CallContext.beginning(of: run.output + run.complaint) ?? "nothing"
            throw ChildFailure("Claude Code ended with status \(run.status) and said: \(said)")
        }
        return end
    }
}
