import Glibc
import Host
import Platform

/// An edit of `config.json` in the person's editor.
struct ConfigurationEdit {
    let file: ConfigurationFile
    let invocation: Invocation

    func run() throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(.usage, "there is no terminal to edit in; use `cdev config set KEY VALUE`")
        }
        let before = try file.bytes()
        // Only this user's: the file may hold secrets of notification channels.
        let copy = file.home + "/config.edit.json"
        mkdir(file.home, 0o700)
        do throws(FileError) { try AtomicFile.replace(copy, with: before) } catch {
            throw CommandFailure(.other, "\(error)")
        }
        defer { unlink(copy) }
        while true {
            try open(copy)
            guard let text = FileBytes.read(copy, limit: 1 << 20) else {
                throw CommandFailure(.other, "nothing changed: the edited copy cannot be read")
            }
            guard text != before else { throw CommandFailure(.other, "nothing changed") }
            guard try isValid(text) else { continue }
            guard try file.bytes() == before else {
                throw CommandFailure(
                    .other, "nothing changed: another program wrote \(file.path) meanwhile; edit again")
            }
            return try file.replace(text)
        }
    }

    /// False if the person wants to edit once more; throws if not.
    private func isValid(_ text: [UInt8]) throws(CommandFailure) -> Bool {
        do throws(CommandFailure) {
            for warning in try file.check(text) { Terminal.complain("cdev: \(warning.shown(300))") }
            return true
        } catch {
            Terminal.complain("cdev: \(error.message)")
            Terminal.write("edit again? [Y/n] ")
            guard let answer = readLine(), ["", "y", "yes"].contains(answer.lowercased()) else {
                throw CommandFailure(.other, "nothing changed: the daemon could not start with that")
            }
            return false
        }
    }

    private func open(_ path: String) throws(CommandFailure) {
        let names = ["VISUAL", "EDITOR"].compactMap { invocation.environment[$0] }.filter { !$0.isEmpty }
        // The variable may hold options, so a shell splits it, as Git does.
        let words = ["/bin/sh", "-c", (names.first ?? "vi") + " \"$1\"", "sh", path]
        guard let status = ForegroundProcess.run(words, environment: invocation.environment), status == 0 else {
            throw CommandFailure(.other, "nothing changed: the editor did not end well")
        }
    }
}

/// A child process with this process's terminal.
enum ForegroundProcess {
    /// The exit status; `nil` if it did not start or a signal ended it.
    static func run(_ words: [String], environment: [String: String]) -> Int32? {
        let arguments = words.map { strdup($0) } + [nil]
        let values = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + values { free(text) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, words[0], nil, nil, arguments, values) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}
