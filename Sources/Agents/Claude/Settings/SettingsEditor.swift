import OrderedJSON

/// Changes our entries in a settings file and nothing else.
struct SettingsEditor {
    private(set) var document: JSONDocument
    /// The shape of the current `document`.
    private var shape: SettingsShape
    private(set) var notes: InstallNotes
    private(set) var changes: [String: SettingsChange.Kind] = [:]

    /// - Parameters:
    ///   - text: Nil for a missing file. A missing file, and one with nothing but white space, counts as `{}`.
    ///   - notes: The notes of the last install. They count only for events that still have an entry of ours.
    init(_ text: [UInt8]?, notes: InstallNotes?) throws(SettingsError) {
        document = try Self.parse(text)
        shape = try SettingsShape(of: document)
        let ours = shape.events.filter { $0.groups.contains { !$0.ours.isEmpty } }.map(\.name)
        self.notes = InstallNotes()
        if !ours.isEmpty {
            self.notes = notes ?? .assumed(for: ours)
            self.notes.createdEvents.formIntersection(ours)
        } else if let text {
            if Self.isBlank(text) { self.notes.blankText = String(decoding: text, as: UTF8.self) }
        } else {
            self.notes.isFileCreated = true
        }
    }

    var sortedChanges: [SettingsChange] {
        changes.map { SettingsChange(event: $0.key, kind: $0.value) }.sorted { $0.event < $1.event }
    }

    /// The text after uninstall; nil if the file is to be removed, because install created it and it is empty now.
    var remainder: [UInt8]? {
        guard isEmpty([]) else { return document.bytes }
        if notes.isFileCreated { return nil }
        return notes.blankText.map { Array($0.utf8) } ?? document.bytes
    }

    mutating func install(_ hooks: [InstallHook], _ target: InstallTarget) throws(SettingsError) {
        let wanted = Set(hooks.map(\.event))
        for event in shape.events.map(\.name) where !wanted.contains(event) {
            try remove(event, isListOurs: notes.createdEvents.contains(event))
        }
        for hook in hooks { try install(hook, target) }
    }

    mutating func uninstall() throws(SettingsError) {
        for event in shape.events.map(\.name).reversed() {
            try remove(event, isListOurs: notes.createdEvents.contains(event))
        }
        if notes.isHooksCreated && isEmpty(["hooks"]) { try remove(["hooks"]) }
    }

    private mutating func install(_ hook: InstallHook, _ target: InstallTarget) throws(SettingsError) {
        let list: JSONPath = ["hooks", .key(hook.event)]
        let groups = shape.groups(of: hook.event) ?? []
        guard let kept = groups.firstIndex(where: { Self.canKeep($0, for: hook) }) else {
            let isRepair = groups.contains { !$0.ours.isEmpty }
            try removeOurs(from: hook.event, keeping: nil)
            try add(target.group(of: hook), for: hook.event)
            changes[hook.event] = isRepair ? .repaired : .added
            return
        }
        try repair(groups[kept], at: list + [.index(kept)], hook, target)
        try removeOurs(from: hook.event, keeping: kept)
    }

    /// True if the group can be kept and repaired. A group with nothing but our entries can be replaced; in a group
    /// that has entries of others only our entry can, so its matcher must match all tools.
    private static func canKeep(_ group: SettingsShape.Group, for hook: InstallHook) -> Bool {
        guard !group.ours.isEmpty else { return false }
        let all: Set<String> = ["", "*"]
        return group.isOnlyOurs || all.contains(group.value["matcher"]?.stringValue ?? "")
    }

    private mutating func repair(
        _ group: SettingsShape.Group, at path: JSONPath, _ hook: InstallHook, _ target: InstallTarget
    ) throws(SettingsError) {
        if group.isOnlyOurs {
            guard !group.value.isEquivalent(to: target.group(of: hook)) else { return }
            try set(target.group(of: hook), at: path)
        } else {
            let entry = group.entries[group.ours[0]]
            guard !entry.isEquivalent(to: target.entry(of: hook)) else { return }
            try set(target.entry(of: hook), at: path + ["hooks", .index(group.ours[0])])
        }
        changes[hook.event] = .repaired
    }

    /// Removes our entries from an event, except the first of the group that is kept.
    private mutating func removeOurs(from event: String, keeping kept: Int?) throws(SettingsError) {
        guard let groups = shape.groups(of: event) else { return }
        for (place, group) in groups.enumerated().reversed() where !group.ours.isEmpty {
            let path: JSONPath = ["hooks", .key(event), .index(place)]
            let surplus = place == kept ? group.ours.dropFirst() : group.ours[...]
            guard !surplus.isEmpty else { continue }
            changes[event] = kept == nil ? .removed : .repaired
            if place != kept && group.isOnlyOurs {
                try remove(path)
            } else {
                for entry in surplus.reversed() { try remove(path + ["hooks", .index(entry)]) }
                if place != kept && group.value[SettingsEntry.marker] != nil {
                    try remove(path + [.key(SettingsEntry.marker)])
                }
            }
        }
    }

    /// Removes our entries from an event, and the event's list if install created it and nothing else is in it.
    private mutating func remove(_ event: String, isListOurs: Bool) throws(SettingsError) {
        let groups = shape.groups(of: event) ?? []
        if isListOurs && !groups.isEmpty && groups.allSatisfy({ $0.isOnlyOurs && !$0.ours.isEmpty }) {
            try remove(["hooks", .key(event)])
            changes[event] = .removed
        } else {
            try removeOurs(from: event, keeping: nil)
        }
        if shape.groups(of: event) == nil { notes.createdEvents.remove(event) }
    }

    /// Adds a group; creates `hooks` and the event's list if they are missing, and notes that.
    private mutating func add(_ group: JSON, for event: String) throws(SettingsError) {
        if document.node(at: ["hooks"]) == nil {
            try add([:], to: [], key: "hooks")
            notes.isHooksCreated = true
        }
        if document.node(at: ["hooks", .key(event)]) == nil {
            try add([group], to: ["hooks"], key: event)
            notes.createdEvents.insert(event)
        } else {
            try add(group, to: ["hooks", .key(event)])
        }
    }
}

extension SettingsEditor {
    private static func parse(_ text: [UInt8]?) throws(SettingsError) -> JSONDocument {
        do {
            guard let text else { return try JSONDocument(parsing: Array("{}\n".utf8)) }
            guard isBlank(text) else { return try JSONDocument(parsing: text) }
            let mark = text.prefix(text.count - blanks(text).count)
            return try JSONDocument(parsing: mark + Array("{}".utf8) + (blanks(text).isEmpty ? [0x0A] : blanks(text)))
        } catch {
            throw .invalidJSON(error)
        }
    }

    static func isBlank(_ text: [UInt8]) -> Bool {
        blanks(text).allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// The text after the byte order mark, if there is one.
    private static func blanks(_ text: [UInt8]) -> ArraySlice<UInt8> {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
    }

    private func isEmpty(_ path: JSONPath) -> Bool {
        document.node(at: path)?.count == 0
    }

    /// Appends to a list or, with a key, to an object. Notes the spelling of an empty one that install did not create.
    private mutating func add(_ value: JSON, to path: JSONPath, key: String? = nil) throws(SettingsError) {
        let isOurs =
            path == ["hooks"] ? notes.isHooksCreated : notes.createdEvents.contains { path == ["hooks", .key($0)] }
        let isBlankFile = path.isEmpty && (notes.isFileCreated || notes.blankText != nil)
        if isEmpty(path) && !isOurs && !isBlankFile {
            notes.emptySpellings[Self.name(path)] = document.spelling(at: path)
        }
        let count = document.node(at: path)?.count ?? 0
        try set(value, at: path + [key.map(JSONPathStep.key) ?? .index(count)])
    }

    private mutating func set(_ value: JSON, at path: JSONPath) throws(SettingsError) {
        do { try document.set(value, at: path) } catch { throw .editFailed(error) }
        shape = try SettingsShape(of: document)
    }

    private mutating func remove(_ path: JSONPath) throws(SettingsError) {
        let empty = notes.emptySpellings[Self.name(path.dropLast())]
        do { try document.remove(at: path, leaving: empty) } catch { throw .editFailed(error) }
        shape = try SettingsShape(of: document)
    }

    private static func name(_ path: JSONPath) -> String {
        path.isEmpty ? "" : path.described
    }
}
