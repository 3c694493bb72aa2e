import OrderedJSON
import Platform

/// The changes that `cdev expose` made, kept in `$CDEV_HOME/exposed.json`, so that they can be undone.
struct Exposure {
    var way: String
    /// The values that were written to `config.json`, and those before them; `nil` stands for no value.
    private(set) var changes: [(key: String, before: JSON?, after: JSON?)] = []
    /// The port of HTTPS that `tailscale` was told to serve, and the machine's name and the target; `nil` if
    /// `tailscale` was told nothing.
    var served: (port: Int, name: String, target: String)?

    init(way: String) {
        self.way = way
    }

    /// `nil` where nothing is exposed by `cdev expose`.
    init?(home: String) {
        guard let bytes = FileBytes.read(Self.path(home), limit: 1 << 20), let notes = try? JSON(parsing: bytes),
            let way = notes["way"]?.stringValue
        else { return nil }
        self.way = way
        changes = notes.list("changes").compactMap { change in
            change["key"]?.stringValue.map { (key: $0, before: change["before"], after: change["after"]) }
        }
        if let served = notes["served"], let port = served["port"]?.intValue {
            self.served = (port, served.text("name"), served.text("target"))
        }
    }

    /// Sets a key of `config.json` and notes the value before.
    mutating func set(_ key: String, _ value: JSON?, in file: inout ConfigurationDraft) throws(CommandFailure) {
        let before = file[key]
        guard before != value else { return }
        try file.set(key, value)
        changes.append((key, before, value))
    }

    /// Puts the values back that were there before. Returns the keys that somebody changed meanwhile: those stay.
    func undo(in file: inout ConfigurationDraft) throws(CommandFailure) -> [String] {
        var kept: [String] = []
        for change in changes {
            if file[change.key] == change.after {
                try file.set(change.key, change.before)
            } else if file[change.key] != change.before {
                kept.append(change.key)
            }
        }
        return kept
    }

    func save(_ home: String) throws(CommandFailure) {
        var notes: JSONObject = ["version": 1, "way": .string(way)]
        notes["changes"] = .array(
            changes.map { change in
                var object: JSONObject = ["key": .string(change.key)]
                object["before"] = change.before
                object["after"] = change.after
                return .object(object)
            })
        if let served {
            notes["served"] = [
                "port": .number(JSONNumber(served.port)), "name": .string(served.name),
                "target": .string(served.target),
            ]
        }
        do throws(FileError) {
            try AtomicFile.replace(Self.path(home), with: Array((JSON.object(notes).serialized() + "\n").utf8))
        } catch {
            throw CommandFailure(.other, "\(error)")
        }
    }

    static func forget(_ home: String) throws(CommandFailure) {
        do throws(FileError) { try AtomicFile.remove(path(home)) } catch { throw CommandFailure(.other, "\(error)") }
    }

    private static func path(_ home: String) -> String { home + "/exposed.json" }
}
