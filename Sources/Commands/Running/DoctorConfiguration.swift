import Glibc
import OrderedJSON
import Platform

extension Doctor {
    /// Checks `config.json` as a start does, and compares its time with the daemon's start.
    func configuration(_ status: JSON?) -> [Finding] {
        let file = ConfigurationFile(home: places.home)
        return start(with: file, status) + keys(in: file)
    }

    private func start(with file: ConfigurationFile, _ status: JSON?) -> [Finding] {
        do throws(CommandFailure) {
            let warnings = try file.check().map { Finding(.note, $0, remedy: "cdev config edit") }
            return [Finding(.fine, "the daemon can start with config.json")] + warnings + changes(status)
        } catch {
            let meaning = status == nil ? "" : "; the daemon that runs would not start again"
            return [Finding(.fault, error.message + meaning, remedy: "cdev config edit")]
        }
    }

    /// The files that are read at a start and were written since.
    private func changes(_ status: JSON?) -> [Finding] {
        // The daemon tells its start in whole seconds, and a configuration is often written just before or after it.
        guard status != nil, let started = written("daemon.address") else { return [] }
        return ["config.json", "commands.json"].compactMap { name in
            guard let time = written(name), time > started else { return nil }
            return Finding(
                .note, "\(name) was changed after the daemon started, which does not know the change",
                remedy: "cdev restart")
        }
    }

    /// The private keys that the configuration names and that other users of this machine may read.
    private func keys(in file: ConfigurationFile) -> [Finding] {
        guard let values = try? file.values() else { return [] }
        let paths = [values["tls"]?["key"], values["notify"]?["apns"]?["key_file"]].compactMap { $0?.stringValue }
        return paths.compactMap { path in
            var attributes = stat()
            guard stat(path, &attributes) == 0, attributes.st_mode & 0o077 != 0 else { return nil }
            return Finding(
                .note, "others of this machine may read or change \(path), which holds a private key",
                remedy: "chmod 600 \(path)")
        }
    }

    /// The time at which a file of the home was last written, in nanoseconds since 1970; `nil` if there is none.
    private func written(_ name: String) -> Int64? {
        var attributes = stat()
        guard stat(places.home + "/" + name, &attributes) == 0 else { return nil }
        return FileTime.nanoseconds(attributes.st_mtim)
    }

    /// Notes on sessions whose mode asks less than usual.
    func modes(isUp: Bool) -> [Finding] {
        guard isUp, let known = try? places.client.call("hook/sessions").list("sessions") else { return [] }
        return known.filter { $0.text("state") != "ended" && !$0.text("mode_note").isEmpty }.map { session in
            let id = String(SessionChoice.ownID(session).prefix(8))
            return Finding(
                .note, "session \(id) in \(session.text("cwd")): \(session.text("mode_note"))",
                remedy: "to be asked about everything there: \(ModeNotes.remedy(session, id))")
        }
    }
}
