#if canImport(Glibc)
    import Glibc

    /// Starts the daemon again that `cdev start` had started and that ended without `cdev stop`, by a reboot for example.
    /// `cdev start` leaves the file `autostart` beside the socket and `cdev stop` removes it; where a service manager
    /// starts the daemon there is no such file. The relay does not wait for the daemon.
    ///
    /// The pointers taken here are safe: each is used only inside the call it is passed to.
    enum Starter {
        /// Seconds until the next attempt: a daemon that cannot start must not be tried with every call.
        private static let interval = 10

        /// - Parameter socket: The path of the daemon's socket. The state is in its directory if it is named `cdev.sock`.
        static func startAgain(_ socket: borrowing Buffer) {
            let name: StaticString = "/cdev.sock"
            guard socket.ends(with: name) else { return }
            var home = Buffer(capacity: 256)
            socket.withBytes { home.append($0) }
            home.truncate(to: home.count - name.utf8CodeUnitCount)
            var note = Buffer(capacity: 256)
            home.withBytes { note.append($0) }
            note.append("/autostart")
            note.append(0 as UInt8)
            home.append(0 as UInt8)
            guard note.withText(claim) else { return }
            var program = Buffer(capacity: 256)
            guard appendDirectory(to: &program) else { return }
            program.append("/cdev")
            program.append(0 as UInt8)
            program.withText { program in home.withText { spawn(program, home: $0) } }
        }

        /// Returns true to one relay in each interval.
        private static func claim(_ note: UnsafePointer<CChar>) -> Bool {
            let file = open(note, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard file >= 0 else { return false }
            defer { close(file) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                abs(time(nil) - status.st_mtim.tv_sec) >= interval
            else { return false }
            return futimens(file, nil) == 0
        }

        /// Appends the directory of this program, where `cdev` is too.
        private static func appendDirectory(to path: inout Buffer) -> Bool {
            var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = bytes.withUnsafeMutableBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, bytes.count) }
            }
            guard count > 0, let slash = bytes[..<count].lastIndex(of: UInt8(ascii: "/")) else { return false }
            bytes[..<slash].withUnsafeBufferPointer { path.append($0) }
            return true
        }

        /// Runs `cdev start --again` in a session of its own, with no variable of this process: a project can set those.
        private static func spawn(_ program: UnsafePointer<CChar>, home: UnsafePointer<CChar>) {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            for stream in Int32(0)..<3 { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            // The value of POSIX_SPAWN_SETSID, which glibc declares for GNU programs only.
            posix_spawnattr_setflags(&attributes, 0x80)
            let words: [UnsafePointer<CChar>?] = [
                program, System.text("start"), System.text("--again"), System.text("--home"), home, nil,
            ]
            var nothing: UnsafeMutablePointer<CChar>?
            var pid: pid_t = 0
            _ = posix_spawn(
                &pid, program, &actions, &attributes, words.map { UnsafeMutablePointer(mutating: $0) }, &nothing)
        }
    }
#else
    /// Elsewhere the daemon is started by the user.
    enum Starter {
        static func startAgain(_ socket: borrowing Buffer) {}
    }
#endif
