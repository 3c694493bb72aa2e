import Core
import Dialects
import Glibc
import Host
import Services

/// The parts that show workspaces: their sessions, transcripts, files and repositories.
struct ObservationParts {
    let workspaces: WorkspaceParts
    let transcripts: TranscriptParts
    let files: FileParts
    let git: GitParts

    init(
        _ resources: Resources, _ options: ServeOptions, _ parts: DaemonParts, places: WorkspaceRegister,
        broker: Broker, runs: RunProcesses, hub: EventHub, threads: LoopThreads,
        subscribers: Subscribers<WebSocketClient>
    ) {
        transcripts = TranscriptParts(resources, options, parts, hub: hub, workspaces: places)
        let runner = GitProgram(environment: Self.environment)
        files = FileParts(resources, hub: hub, workspaces: places, git: runner)
        git = GitParts(
            workspaces: places, runner: runner, resources: resources, hub: hub, subscribers: subscribers,
            answersPromptly: parts.answersPromptly)
        workspaces = WorkspaceParts(
            resources, register: places, home: options.home, broker: broker, runs: runs, hub: hub,
            threads: threads,
            git: WorkspaceRepositories(git: git.service, clock: resources.clock),
            history: WorkspaceTranscripts(transcripts.manager),
            ended: { [files, git, transcripts] id in
                files.endWatches(in: id)
                git.watcher.forget(id)
                Task.detached { await transcripts.manager.endWatches(in: id) }
            })
    }

    func end() async {
        git.end()
        files.end()
        await transcripts.end()
    }

    /// The variables that git gets of the daemon's environment.
    private static var environment: [String: String] {
        GitProgram.variables.reduce(into: [:]) { values, name in
            values[name] = getenv(name).map { String(cString: $0) }
        }
    }
}
