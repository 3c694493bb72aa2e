import Agents
import Core
import Glibc
import Host
import Loop
import Platform
import Services

/// Runs Claude Code on this machine for run sessions.
final class ClaudeChildren: ChildHost {
    private let loop: EventLoop
    private let home: String
    private let installation: ClaudeInstallation
    private let table: ProcessTable
    private let watcher: FileWatcher
    /// Reads and decodes what children write, which may take seconds.
    private let lane = WorkLane(threads: 1, mostWeight: .max)
    /// Makes long messages into lines, which wait for no other program and no child's lines.
    private let lines = WorkLane(threads: 1, mostWeight: .max)
    /// Waits for other programs, which no child's lines should wait for.
    private let starts = WorkLane(threads: 2, mostWeight: 200)

    /// - Parameter home: `$CDEV_HOME`.
    init(loop: EventLoop, home: String, installation: ClaudeInstallation, table: ProcessTable) {
        self.loop = loop
        self.home = home
        self.installation = installation
        self.table = table
        // A person reads along: each piece of a text is read at once, and what is written meanwhile with the next read.
        watcher = FileWatcher(on: loop, delay: .zero)
    }

    func close() { watcher.close() }

    /// The time between two reads of a child that goes on writing: the first piece of a text is shown at once, and those
    /// behind it a few at a time.
    private static let betweenReads = Duration.milliseconds(4)

    private var pause: @Sendable () async -> Void {
        { [loop] in
            await withCheckedContinuation { resumed in
                loop.schedule(after: Self.betweenReads) { resumed.resume() }
            }
        }
    }

    /// Looks for new lines where the kernel tells of none.
    private static func poll(_ reader: ChildReader, on loop: EventLoop) {
        guard !reader.isOver else { return }
        loop.schedule(after: .milliseconds(500)) {
            reader.wake()
            poll(reader, on: loop)
        }
    }

    func start(
        _ launch: ChildLaunch, _ report: @escaping ChildReporter
    ) async throws(ChildFailure) -> any RunningChild {
        let prepared = await starts.run(weight: 1) { [self] in
            Result { () throws(ChildFailure) in try prepare(launch) }
        }
        guard let prepared else { throw ChildFailure("too many sessions are being started") }
        let (program, folder, streams, settings) = try prepared.get()
        // The user's shell may have taken seconds to tell the environment.
        if CallPermit.isRevoked { throw ChildFailure("the device that asked for it was revoked") }
        let stream = ClaudeStream(agentID: launch.agentID, mode: launch.mode)
        do throws(SystemError) {
            let files = try ChildFiles(folder, launch.run, from: 0)
            let reader = ChildReader(
                files.spool, errors: files.errors, stream, lane: lane, pause: pause, report: report)
            let spooled = try await loop.run { [loop] () throws(SystemError) in
                try SpooledProcess(program, on: streams.descriptors, input: files.input, loop: loop) {
                    reader.end(ChildExit($0))
                }
            }
            return try child(spooled, settings, reader, files)
        } catch {
            throw ChildFailure("\(program.path) could not be started: \(error)")
        }
    }

    func adopt(_ session: RunSession, _ report: @escaping ChildReporter) async -> (any RunningChild)? {
        let stream = ClaudeStream(agentID: session.agentID, mode: session.mode)
        do throws(SystemError) {
            guard let folder = ChildFolder(home: home, session: session.id) else { throw SystemError(code: ENOENT) }
            let files = try ChildFiles(folder, session.run, from: session.clocks.readTo)
            let reader = ChildReader(
                files.spool, errors: files.errors, stream, lane: lane, pause: pause, report: report)
            guard let process = living(session, files.input),
                let spooled = try? await loop.run({ [loop, table] () throws(SystemError) in
                    try SpooledProcess(
                        adopting: process.pid, input: files.input, loop: loop,
                        isMeant: { table.startTime(of: process.pid) == process.startTime }
                    ) { reader.end(ChildExit($0)) }
                })
            else {
                await reader.readAll(andEnd: .unseen)
                return nil
            }
            // The last daemon may have been killed in the middle of a line. Claude Code ignores an empty line, and ends at
            // one that it cannot read: a prompt behind half of another would be taken for a part of it.
            await loop.run { _ = spooled.write([UInt8(ascii: "\n")]) }
            return try child(spooled, nil, reader, files)
        } catch {
            _ = await report([.ended(.unseen)])
            return nil
        }
    }

    func endRest(of session: String, run: Int) async {
        _ = await lane.run(weight: 1) { [table] in
            table.kill(table.processes(with: ClaudeProgram.mark(session, run)))
        }
    }

    /// By Claude Code's own list of its processes, each checked with the kernel.
    func hasWriter(_ conversation: String, but ours: Set<Int32>) async -> Bool {
        await starts.run(weight: 1) { [installation, table] in
            ClaudeRegistry { installation.environment[$0] }.processes(in: conversation).contains {
                pid, startTime in
                !ours.contains(pid) && table.startTime(of: pid) == startTime
            }
        } ?? true
    }

    func identity(of pid: Int32) async -> ProcessIdentity? {
        table.startTime(of: pid).map { ProcessIdentity(pid: pid, startTime: $0) }
    }

    func check() async -> AgentCheck? {
        await starts.run(weight: 1) { [installation] in installation.look() }
    }

    func clear(session: String) async {
        _ = await lane.run(weight: 1) { [home] in ChildFolder(home: home, session: session)?.remove() }
    }

    /// Ends the children of sessions that nobody knows any more, and removes their files.
    func removeAll(but known: Set<String>) async {
        _ = await lane.run(weight: 1) { [home, table] in
            for session in ChildFolder.sessions(home: home) where !known.contains(session) {
                guard let folder = ChildFolder(home: home, session: session) else { continue }
                let children = folder.inputs.compactMap(table.child(readingFrom:))
                table.kill(children.flatMap { table.descendants(of: $0.pid) } + children)
                folder.remove()
            }
        }
    }

    private func prepare(
        _ launch: ChildLaunch
    ) throws(ChildFailure) -> (Program, ChildFolder, ChildStreams, ProjectSettings) {
        let path = try installation.program()
        let environment = installation.environment
        guard let folder = ChildFolder(home: home, session: launch.session) else {
            throw ChildFailure("\"\(launch.session)\" is no name of a directory")
        }
        guard access(launch.directory, X_OK) == 0 else {
            throw ChildFailure("the directory \(launch.directory) cannot be entered: \(SystemError.last)")
        }
        let isTrusted = ClaudeTrust.isTrusted(launch.directory, environment: environment)
        let servers = launch.servers.isEmpty ? nil : folder.servers(launch.run)
        let words = ClaudeProgram.arguments(for: launch, isTrusted: isTrusted, servers: servers)
        let program = Program(
            path: path, words: [path] + words, environment: ClaudeProgram.environment(environment, of: launch),
            directory: launch.directory)
        do {
            let streams = try folder.open(launch.run)
            if let servers {
                try AtomicFile.replace(servers, with: ClaudeServers.json(launch.servers).serializedBytes())
            }
            return (program, folder, streams, isTrusted ? .used : .ignored)
        } catch {
            throw ChildFailure("the directory \(folder.path) cannot be used: \(error)")
        }
    }

    /// The child by its number, or by what it reads from where the last daemon did not come to write that down.
    private func living(_ session: RunSession, _ input: String) -> ProcessIdentity? {
        if let process = session.process, table.startTime(of: process.pid) == process.startTime { return process }
        return table.child(readingFrom: input)
    }

    private func child(
        _ spooled: SpooledProcess, _ settings: ProjectSettings?, _ reader: ChildReader, _ files: ChildFiles
    ) throws(SystemError) -> ClaudeChild {
        // One that ended meanwhile has no start time; its end is told by the reader.
        let process = ProcessIdentity(pid: spooled.pid, startTime: table.startTime(of: spooled.pid) ?? 0)
        let watch = watcher.watch(files.output, .contents) { [loop] problem in
            reader.wake()
            if problem != nil { Self.poll(reader, on: loop) }
        }
        // Complaints fill the disk too.
        let errors = watcher.watch(files.errors.path, .contents) { _ in reader.wake() }
        return ClaudeChild(
            process: process, settings, spooled, reader, [watch, errors], loop: loop, lane: lane, lines: lines,
            table: table)
    }
}

/// The files of a child that was started.
private struct ChildFiles {
    let input: String
    let output: String
    let spool: ChildSpool
    let errors: ChildErrors

    init(_ folder: ChildFolder, _ run: Int, from offset: Int64) throws(SystemError) {
        input = folder.input(run)
        output = folder.output(run)
        errors = ChildErrors(path: folder.errors(run))
        spool = try ChildSpool(output, from: offset, longestLine: ClaudeStream.longestLine)
    }
}

extension ChildExit {
    fileprivate init(_ exit: Subprocess.Exit?) {
        switch exit {
        case .code(let code): self = .code(code)
        case .signal(let number): self = .signal(number)
        case nil: self = .unseen
        }
    }
}
