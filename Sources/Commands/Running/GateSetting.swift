import Agents
import Core
import Glibc
import Host
import OrderedJSON
import Platform

/// Writes one key of `config.json` and leaves the rest unchanged.
enum GateSetting {
    /// Throws if this process runs inside an agent, because an agent must not change the configuration, stop the daemon
    /// or uninstall the hooks. The daemon is asked first, so that it tells every approver of the attempt. The process
    /// is also checked here, because no daemon may run, or one that the agent started.
    static func requirePermission(_ places: Places) throws(CommandFailure) {
        do throws(CommandFailure) {
            _ = try places.client.call("config/change")
        } catch {
            if error.status == .refused { throw error }
        }
        guard ProcessTable(listed: ClaudeRegistry().startTime).runsInsideAgent(getpid(), agents: [:]) else { return }
        throw CommandFailure(
            .refused,
            "refused: a process inside an agent may not change the configuration, stop the daemon or take its hooks out; "
                + "run this in a terminal of your own")
    }

    static func write(_ gate: Policy.Gate, home: String) throws(CommandFailure) {
        let path = home + "/config.json"
        var config = try read(path)
        config["gate"] = .string(gate.rawValue)
        try replace(path, home, JSON.object(config).serialized() + "\n")
    }

    private static func read(_ path: String) throws(CommandFailure) -> JSONObject {
        do {
            guard let bytes = try FileBytes.ifPresent(path, limit: 1 << 20), !bytes.isEmpty else { return JSONObject() }
            if let object = try JSON(parsing: bytes).objectValue { return object }
        } catch let error as JSONSyntaxError {
            throw CommandFailure(.other, "\(path) is not valid JSON: \(error); mend it, then try again")
        } catch {
            throw CommandFailure(.other, "\(error); it was left as it is: mend it, then try again")
        }
        throw CommandFailure(.other, "\(path) does not hold an object")
    }

    private static func replace(_ path: String, _ home: String, _ text: String) throws(CommandFailure) {
        mkdir(home, 0o700)
        do throws(FileError) {
            try AtomicFile.replace(path, with: Array(text.utf8))
        } catch {
            throw CommandFailure(.other, "\(error)")
        }
    }
}
