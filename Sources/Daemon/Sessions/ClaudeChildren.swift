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
    private let environment: [String: String]
    private let table: ProcessTable
    private let watcher: FileWatcher
    /// Reads and decodes what children write, which may take seconds.
    private let lane = WorkLane(threads: 1, mostWeight: .max)

    /// - Parameters:
    ///   - home: `$CDEV_HOME`.
    ///   - environment: the daemon's.
    init(loop: EventLoop, home: String, environment: [String: String], table: ProcessTable) {
        self.loop = loop
        self.home = home
        self.table = table
        self.environment = ClaudeProgram.environment(from: environment)
        // A person who reads along should not wait, and each piece of a text is a change.
        watcher = FileWatcher(on: loop, delay: .milliseconds(20))
    }

    func close() { watcher.close() }

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
        let prepared = await lane.run(weight: 1) { [self] in
            Result { () throws(ChildFailure) in try prepare(launch) }
        }
        guard let prepared else { throw ChildFailure("too much is being read") }
        let (program, folder, streams) = try prepared.get()
        let stream = ClaudeStream(agentID: launch.agentID, directory: launch.directory, mode: launch.mode)
        do throws(SystemError) {
            let files = try ChildFiles(folder, launch.run, from: 0)
            let reader = ChildReader(files.spool, stream, lane: lane, report: report)
            let spooled = try await loop.run { [loop] () throws(SystemError) in
                try SpooledProcess(program, on: streams.descriptors, input: files.input, loop: loop) {
                    reader.end(ChildExit($0))
                }
            }
            return try child(spooled, reader, files)
        } catch {
            throw ChildFailure("\(program.path) could not be started: \(error)")
        }
    }

    func adopt(_ session: RunSession, _ report: @escaping ChildReporter) async -> (any RunningChild)? {
        let stream = ClaudeStream(agentID: session.agentID, directory: session.directory, mode: session.mode)
        do throws(SystemError) {
            guard let folder = ChildFolder(home: home, session: session.id) else { throw SystemError(code: ENOENT) }
            let files = try ChildFiles(folder, session.run, from: session.clocks.readTo)
            let reader = ChildReader(files.spool, stream, lane: lane, report: report)
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
            return try child(spooled, reader, files)
        } catch {
            _ = await report([.ended(.unseen)])
            return nil
        }
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

    private func prepare(_ launch: ChildLaunch) throws(ChildFailure) -> (Program, ChildFolder, ChildStreams) {
        guard let path = ProgramPath.find("claude", in: environment["PATH"] ?? "") else {
            throw ChildFailure("there is no program \"claude\" in the daemon's PATH")
        }
        guard let folder = ChildFolder(home: home, session: launch.session) else {
            throw ChildFailure("\"\(launch.session)\" is no name of a directory")
        }
        let isTrusted = ClaudeTrust.isTrusted(launch.directory, environment: environment)
        let program = Program(
            path: path, words: [path] + ClaudeProgram.arguments(for: launch, isTrusted: isTrusted),
            environment: environment, directory: launch.directory)
        do throws(SystemError) { return (program, folder, try folder.open(launch.run)) } catch {
            throw ChildFailure("the directory \(folder.path) cannot be used: \(error)")
        }
    }

    /// The child by its number, or by what it reads from where the last daemon did not come to write that down.
    private func living(_ session: RunSession, _ input: String) -> ProcessIdentity? {
        if let process = session.process, table.startTime(of: process.pid) == process.startTime { return process }
        return table.child(readingFrom: input)
    }

    private func child(
        _ spooled: SpooledProcess, _ reader: ChildReader, _ files: ChildFiles
    ) throws(SystemError) -> ClaudeChild {
        // One that ended meanwhile has no start time; its end is told by the reader.
        let process = ProcessIdentity(pid: spooled.pid, startTime: table.startTime(of: spooled.pid) ?? 0)
        let watch = watcher.watch(files.output, .contents) { [loop] problem in
            reader.wake()
            if problem != nil { Self.poll(reader, on: loop) }
        }
        return ClaudeChild(process: process, spooled, reader, watch, loop: loop, lane: lane, table: table)
    }
}

/// The files of a child that was started.
private struct ChildFiles {
    let input: String
    let output: String
    let spool: ChildSpool

    init(_ folder: ChildFolder, _ run: Int, from offset: Int64) throws(SystemError) {
        input = folder.input(run)
        output = folder.output(run)
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
