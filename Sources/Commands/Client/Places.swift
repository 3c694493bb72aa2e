import Agents

/// The paths of the daemon's state, by the options and the environment.
struct Places {
    let home: String
    let socket: String
    private let environment: [String: String]

    init(_ invocation: Invocation) throws(CommandFailure) {
        environment = invocation.environment
        home = try Self.home(invocation)
        let named = invocation["--socket"] ?? environment["CDEV_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        socket = Self.absolute(named ?? home + "/cdev.sock")
    }

    private static func home(_ invocation: Invocation) throws(CommandFailure) -> String {
        if let named = invocation["--home"] ?? invocation.environment["CDEV_HOME"], !named.isEmpty {
            return absolute(named)
        }
        guard let user = invocation.environment["HOME"], user.hasPrefix("/") else {
            throw CommandFailure(.other, "neither CDEV_HOME nor HOME is set; set one, or pass --home DIR")
        }
        return user + "/.cdev"
    }

    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        return WorkingDirectory.path + "/" + path
    }

    var log: String { home + "/server.log" }

    /// The path of the relay, which is installed beside this program.
    func relay() throws(CommandFailure) -> String {
        guard let program = Executable.path else {
            throw CommandFailure(.other, "this program's own path is unknown, so the relay beside it cannot be found")
        }
        let directory = program.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + directory + "/cdev-hook"
    }

    var client: DaemonClient { DaemonClient(socketPath: socket) }

    func settings(_ invocation: Invocation) throws(CommandFailure) -> String {
        do {
            let path = try SettingsLocation.path(option: invocation["--settings"], environment: environment)
            return Self.absolute(path)
        } catch {
            throw CommandFailure(.other, String(describing: error))
        }
    }
}
