import Foundation
import Glibc

/// A temporary directory that is removed with the value.
final class Directory: Sendable {
    let path: String
    private let base: String

    init(_ name: String = "") throws {
        base = FileManager.default.temporaryDirectory.path + "/cdev-relay-\(UInt32.random(in: 0 ... .max))"
        path = base + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: base) }
}

/// The exit status and the output of a process.
struct Outcome: Sendable {
    var status: Int32?
    var signal: Int32?
    var output: String
    var errors: String
}

/// The relay that was built with these tests.
let relay: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/cdev-hook"
}()

/// The input of a PreToolUse hook as Claude Code sends it.
let preToolUse =
    #"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch x"}}"# + "\n"
let permissionRequest = preToolUse.replacing("PreToolUse", with: "PermissionRequest")

/// Runs the relay as Claude Code runs a hook: sockets as standard streams, and exactly this environment.
func runRelay(
    _ arguments: [String], environment: [String: String] = [:], input: String = preToolUse, isHeard: Bool = true
) async -> Outcome {
    await run(relay, arguments, environment: environment, input: input, isHeard: isHeard)
}

func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = preToolUse,
    isHeard: Bool = true
) async -> Outcome {
    await withCheckedContinuation { continuation in
        Thread {
            continuation.resume(returning: spawn([program] + arguments, environment, Array(input.utf8), isHeard))
        }.start()
    }
}

private func spawn(_ words: [String], _ environment: [String: String], _ input: [UInt8], _ isHeard: Bool) -> Outcome {
    let (stdin, stdout, stderr) = (pair(), pair(), pair())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for (number, stream) in [stdin, stdout, stderr].enumerated() {
        posix_spawn_file_actions_adddup2(&actions, stream.theirs, Int32(number))
    }
    // The process must not inherit descriptors of other tests, which would keep their connections open.
    for other in Int32(3)..<256 { posix_spawn_file_actions_addclose(&actions, other) }
    // Reset all signals, as Claude Code does for its hooks, whatever the test runner set.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    var process = pid_t()
    let result = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    for text in arguments + variables { free(text) }
    for stream in [stdin, stdout, stderr] { close(stream.theirs) }
    precondition(result == 0, "cannot run \(words[0])")
    Thread {
        var rest = input[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(stdin.ours, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        close(stdin.ours)
    }.start()
    if !isHeard { shutdown(stdout.ours, Int32(SHUT_RDWR)) }
    let (output, errors) = (readAll(stdout.ours), readAll(stderr.ours))
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let signal = status & 0x7F
    return Outcome(
        status: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal, output: output,
        errors: errors)
}

private func pair() -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    return (ends[0], ends[1])
}

private func readAll(_ descriptor: Int32) -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { break }
        text += chunk[..<count]
    }
    close(descriptor)
    return String(decoding: text, as: UTF8.self)
}
