import OrderedJSON

/// `installed.json` in cdev's home: for each settings file, the changes we made, and whether the user wants the hooks.
struct InstallManifest: Hashable {
    struct Record: Hashable {
        /// False once the user ran uninstall: then only the user installs again.
        var isInstalled: Bool
        var onFailure: InstallOnFailure
        /// Nil if no entries of ours are installed.
        var notes: InstallNotes?
    }

    /// Keyed by the path of the settings file, links resolved.
    var records: [String: Record] = [:]

    static func path(in home: String) -> String {
        home + "/installed.json"
    }

    static func load(from home: String) throws(InstallError) -> InstallManifest {
        let path = path(in: home)
        guard let file = try InstallFiles.read(path) else { return InstallManifest() }
        do {
            return try InstallManifest(JSON(parsing: file.bytes))
        } catch let error as JSONSyntaxError {
            throw .badManifest(path: path, reason: "\(error)")
        } catch {
            throw .badManifest(path: path, reason: "it is not what cdev writes")
        }
    }

    func save(in home: String) throws(InstallError) {
        let text = Array((json.serialized() + "\n").utf8)
        try InstallFiles.replace(Self.path(in: home), with: text, .ofPrivateFile)
    }
}

extension InstallManifest {
    private struct WrongShape: Error {}

    init(_ json: JSON) throws {
        guard let files = json["settings"]?.objectValue else { throw WrongShape() }
        for (path, value) in files { records[path] = try Self.record(value) }
    }

    private static func record(_ json: JSON) throws -> Record {
        guard let isInstalled = json["installed"]?.boolValue,
            let onFailure = json["on_failure"]?.stringValue.flatMap(InstallOnFailure.init)
        else { throw WrongShape() }
        return Record(isInstalled: isInstalled, onFailure: onFailure, notes: json["created"].flatMap(notes))
    }

    private static func notes(_ created: JSON) -> InstallNotes? {
        guard !created.isNull else { return nil }
        var notes = InstallNotes()
        notes.directories = strings(created["directories"])
        notes.isFileCreated = created["file"] == true
        notes.blankText = created["blank_text"]?.stringValue
        notes.isHooksCreated = created["hooks"] == true
        notes.createdEvents = Set(strings(created["events"]))
        for (path, spelling) in created["empty"]?.objectValue ?? [:] {
            notes.emptySpellings[path] = spelling.stringValue
        }
        return notes
    }

    private static func strings(_ json: JSON?) -> [String] {
        json?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    var json: JSON {
        let files = records.sorted { $0.key < $1.key }.map { ($0.key, Self.json($0.value)) }
        return ["version": 1, "settings": .object(JSONObject(files))]
    }

    private static func json(_ record: Record) -> JSON {
        [
            "installed": .bool(record.isInstalled), "on_failure": .string(record.onFailure.rawValue),
            "created": record.notes.map(json) ?? .null,
        ]
    }

    private static func json(_ notes: InstallNotes) -> JSON {
        let empty = notes.emptySpellings.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        return [
            "directories": .array(notes.directories.map(JSON.string)),
            "file": .bool(notes.isFileCreated),
            "blank_text": notes.blankText.map(JSON.string) ?? .null,
            "hooks": .bool(notes.isHooksCreated),
            "events": .array(notes.createdEvents.sorted().map(JSON.string)),
            "empty": .object(JSONObject(empty)),
        ]
    }
}
