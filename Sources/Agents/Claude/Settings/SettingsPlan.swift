import OrderedJSON

/// One change that install or uninstall makes in a settings file.
package struct SettingsChange: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        case added, removed, repaired
    }

    package let event: String
    package let kind: Kind

    package var description: String {
        "\(event): hook \(kind.rawValue)"
    }
}

/// The changes of a settings file, computed without touching the file.
package struct SettingsPlan: Sendable {
    /// The present text; nil without a file.
    package let before: [UInt8]?
    /// The new text; nil if the file is to be removed.
    package let after: [UInt8]?
    /// One for each event touched, sorted by event.
    package let changes: [SettingsChange]
    /// The notes to keep until uninstall.
    package let notes: InstallNotes

    package var isUnchanged: Bool { before == after }

    /// Adds our hooks to a file, or repairs them.
    /// - Parameters:
    ///   - text: The file's text; nil without a file.
    ///   - notes: The notes of the last install, if there was one.
    package static func installing(
        _ target: InstallTarget, in text: [UInt8]?, notes: InstallNotes?
    ) throws(SettingsError) -> SettingsPlan {
        var editor = try SettingsEditor(text, notes: notes)
        try editor.install(InstallHook.all, target)
        return SettingsPlan(
            before: text, after: editor.changes.isEmpty ? text : editor.document.bytes,
            changes: editor.sortedChanges, notes: editor.notes)
    }

    /// Removes our hooks from a file, and those parts created by install that are empty then.
    /// - Parameter notes: The notes of the last install. Without them lists that become empty are removed, and the file
    ///   stays.
    package static func uninstalling(
        from text: [UInt8]?, notes: InstallNotes?
    ) throws(SettingsError) -> SettingsPlan {
        var editor = try SettingsEditor(text, notes: notes)
        try editor.uninstall()
        return SettingsPlan(
            before: text, after: editor.changes.isEmpty ? text : editor.remainder,
            changes: editor.sortedChanges, notes: InstallNotes())
    }
}
