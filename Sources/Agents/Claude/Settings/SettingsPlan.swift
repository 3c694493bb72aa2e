import OrderedJSON

/// One thing that install or uninstall does to a settings file.
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

/// What is to become of a settings file, worked out without touching it.
package struct SettingsPlan: Sendable {
    /// As the file is; nil if there is none.
    package let before: [UInt8]?
    /// As it shall be; nil if there shall be none.
    package let after: [UInt8]?
    /// One for each event touched, sorted by event.
    package let changes: [SettingsChange]
    /// What to remember until uninstall.
    package let notes: InstallNotes

    package var isUnchanged: Bool { before == after }

    /// Adds our hooks to a file, or repairs them.
    /// - Parameters:
    ///   - text: The file; nil if there is none.
    ///   - notes: From the install before, if there was one.
    package static func installing(
        _ target: InstallTarget, in text: [UInt8]?, notes: InstallNotes?
    ) throws(SettingsError) -> SettingsPlan {
        var editor = try SettingsEditor(text, notes: notes)
        try editor.install(InstallHook.all, target)
        return SettingsPlan(
            before: text, after: editor.changes.isEmpty ? text : editor.document.bytes,
            changes: editor.sortedChanges, notes: editor.notes)
    }

    /// Removes our hooks from a file and, of what install created for them, all that is empty now.
    /// - Parameter notes: From install. Without them the lists that get empty go, and the file stays.
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
