import Glibc
import OrderedJSON
import Platform

/// The file `autostart` of the state: says that the daemon was started in the background and not stopped, and in which
/// environment. By it the relay starts the daemon again after a reboot or a crash, where no service manager does.
enum KeptStart {
    /// The variables that a daemon reads. Others are not written to the disk, since some are secrets.
    private static let names = [
        "CDEV_HOME", "CDEV_SOCKET", "CLAUDE_CONFIG_DIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SSL_CERT_DIR", "SSL_CERT_FILE",
        "TMPDIR", "TZ",
        "USER", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
    ]

    /// The same command in the environment of the last start.
    static func invocation(_ called: Invocation) throws(CommandFailure) -> Invocation {
        let home = try Places(called).home
        guard let bytes = FileBytes.read(path(home), limit: 1 << 20), let note = try? JSON(parsing: bytes),
            let kept = note["environment"]?.objectValue
        else { throw CommandFailure(.other, "no daemon was started in the background from \(home), or it was stopped") }
        // The relay runs in a project, whose file system the daemon must not keep in use.
        chdir("/")
        var environment: [String: String] = [:]
        for (name, value) in kept { environment[name] = value.stringValue }
        return Invocation(
            command: called.command, operands: called.operands, options: called.options, environment: environment)
    }

    /// Without the file, the daemon is only not started again.
    static func write(_ environment: [String: String], _ home: String) {
        let kept = names.compactMap { name in environment[name].map { (name, JSON.string($0)) } }
        let note: JSON = ["version": 1, "environment": .object(JSONObject(kept))]
        try? AtomicFile.replace(path(home), with: Array((note.serialized() + "\n").utf8))
    }

    static func remove(_ home: String) { try? AtomicFile.remove(path(home)) }

    private static func path(_ home: String) -> String { home + "/autostart" }
}
