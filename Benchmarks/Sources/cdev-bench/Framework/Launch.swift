import Glibc

/// A program with its arguments and its whole environment.
struct Launch {
    let path: String
    let arguments: [String]
    var environment: [String: String]

    /// What a hook of Claude Code finds, without anything of ours.
    static let plainEnvironment = [
        "HOME": "/nonexistent", "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin", "SHELL": "/bin/bash",
    ]

    init(_ path: String, _ arguments: [String], environment: [String: String] = Launch.plainEnvironment) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
    }

    struct Run {
        let status: Int32
        let output: [UInt8]
        let time: Nanoseconds
    }

    /// From the moment before it starts to the moment it has ended: its input is written, its output read to the end.
    func run(input: [UInt8] = []) throws -> Run {
        let child = try start(pipes: true)
        child.write(input)
        let output = child.readAll()
        let status = child.wait()
        return Run(status: status, output: output, time: Clock.now() - child.started)
    }

    /// - Parameter pipes: stdin and stdout lead here; otherwise they lead nowhere. What it says on stderr is dropped.
    func start(pipes: Bool = false) throws -> Child {
        var input: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        if pipes {
            guard pipe(&input) == 0, pipe(&output) == 0 else { throw BenchError.system("pipe") }
            for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        defer {
            if pipes {
                close(input[0])
                close(output[1])
            }
        }
        let started = Clock.now()
        let pid = try spawn(stdin: input[0], stdout: output[1])
        return Child(pid: pid, started: started, stdin: input[1], stdout: output[0])
    }

    /// Started with this descriptor as its third and fourth, which is where a Chromium is spoken to. It leads a process
    /// group of its own, so that what it starts ends with it.
    func start(devTools: Int32) throws -> Child {
        let started = Clock.now()
        let pid = try spawn(stdin: -1, stdout: -1, devTools: devTools)
        return Child(pid: pid, started: started, stdin: -1, stdout: -1, leadsGroup: true)
    }

    private func spawn(stdin: Int32, stdout: Int32, devTools: Int32 = -1) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if stdin >= 0 {
            posix_spawn_file_actions_adddup2(&actions, stdin, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if stdout >= 0 {
            posix_spawn_file_actions_adddup2(&actions, stdout, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if devTools >= 0 {
            for descriptor: Int32 in [3, 4] { posix_spawn_file_actions_adddup2(&actions, devTools, descriptor) }
            // Its own id, as the attribute's 0 says.
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw BenchError("\(path): \(String(cString: strerror(code)))") }
        return pid
    }
}
