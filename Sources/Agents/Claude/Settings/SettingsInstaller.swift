/// Installs our hooks in a settings file of Claude Code, and removes them.
package struct SettingsInstaller: Sendable {
    /// The changes that were made, or that a dry run would have made.
    package struct Report: Sendable {
        /// The settings file, links resolved.
        package let settings: String
        package let changes: [SettingsChange]
        /// Paths of scripts written, sorted.
        package let scripts: [String]
        /// In the form of `diff -u`; empty if the settings stay unchanged.
        package let diff: String
        /// Path of a copy of the former settings; nil if there were none or nothing changed.
        package let backup: String?

        package var isUnchanged: Bool { diff.isEmpty && scripts.isEmpty }
    }

    /// Points at which a test can interfere.
    package enum Step: Sendable {
        /// Nothing is read yet; another process may have its turn first.
        case called
        /// The file was read, nothing is written yet.
        case planned
        /// The new text is on the disk, under another name, or the file is to be removed.
        case staged
        /// The new text is at the path, and the file it replaced is under the other name.
        case placed
    }

    /// The settings file, links resolved.
    package let settings: String
    package let home: String
    let patience: Duration
    let observe: @Sendable (Step) throws(InstallError) -> Void

    /// - Parameters:
    ///   - settings: The path from `SettingsLocation`; a link is followed.
    ///   - home: cdev's own directory. It gets the scripts, the notes and the backup.
    ///   - patience: The longest (blocking) wait for another process that is changing the same file.
    package init(
        settings: String, home: String, patience: Duration = .seconds(5),
        observe: @escaping @Sendable (Step) throws(InstallError) -> Void = { _ in }
    ) throws(InstallError) {
        self.settings = try InstallFiles.resolve(settings)
        self.home = try InstallFiles.resolve(home)
        self.patience = patience
        self.observe = observe
    }

    /// The `onFailure` of the last install; nil if there was none.
    package func recordedOnFailure() throws(InstallError) -> InstallOnFailure? {
        try InstallManifest.load(from: home).records[settings]?.onFailure
    }

    /// Writes the scripts and adds or repairs the entries. Idempotent.
    /// - Parameters:
    ///   - relay: Absolute path of `cdev-hook`.
    ///   - socket: Absolute path of the daemon's socket.
    ///   - onFailure: Nil keeps the value of the last install.
    package func install(
        templates: InstallScripts.Templates, relay: String, socket: String, onFailure: InstallOnFailure? = nil,
        dryRun: Bool = false
    ) throws(InstallError) -> Report {
        try exclusively(dryRun: dryRun) { () throws(InstallError) in
            try install(InstallManifest.load(from: home), templates, relay, socket, onFailure, dryRun: dryRun)
        }
    }

    /// As `install`, for whoever was not asked by the user: after an uninstall nothing is changed.
    /// - Returns: Nil if the user ran uninstall on this file since the last install.
    package func installIfWanted(
        templates: InstallScripts.Templates, relay: String, socket: String
    ) throws(InstallError) -> Report? {
        try exclusively(dryRun: false) { () throws(InstallError) in
            // Read while the lock is held: an uninstall that is under way has its end first.
            let manifest = try InstallManifest.load(from: home)
            guard manifest.records[settings]?.isInstalled != false else { return nil }
            return try install(manifest, templates, relay, socket, nil, dryRun: false)
        }
    }

    private func install(
        _ former: InstallManifest, _ templates: InstallScripts.Templates, _ relay: String, _ socket: String,
        _ onFailure: InstallOnFailure?, dryRun: Bool
    ) throws(InstallError) -> Report {
        var manifest = former
        let record = manifest.records[settings]
        // The scripts are those of every settings file: another one does not change what a person chose.
        let chosen = manifest.records.values.first { $0.isInstalled }?.onFailure
        let onFailure = onFailure ?? record?.onFailure ?? chosen ?? .continue
        let scripts = try InstallScripts(templates, relay: relay, socket: socket, onFailure: onFailure)
        let target = InstallTarget(scripts: InstallScripts.directory(in: home), onFailure: onFailure)
        let change = try change { text throws(SettingsError) in
            try .installing(target, in: text, notes: record?.notes)
        }
        guard !dryRun else { return report(change, try scripts.outdated(in: home), backup: nil) }
        // The scripts are written first: no entry may name a script that does not exist.
        let written = try scripts.write(in: home)
        var notes = change.plan.notes
        notes.directories = try directories(before: change, record)
        manifest.records[settings] = .init(isInstalled: true, onFailure: onFailure, notes: notes)
        try manifest.save(in: home)
        return report(change, written, backup: try apply(change))
    }

    /// Removes the entries, and records that the user does not want them. The scripts stay, because a running Claude
    /// may still call them.
    package func uninstall(dryRun: Bool = false) throws(InstallError) -> Report {
        try exclusively(dryRun: dryRun) { () throws(InstallError) in
            var manifest = try InstallManifest.load(from: home)
            let record = manifest.records[settings]
            let change = try change { text throws(SettingsError) in
                try .uninstalling(from: text, notes: record?.notes)
            }
            guard !dryRun else { return report(change, [], backup: nil) }
            // The user's wish is recorded first, so that nothing installs the hooks again if this stops half way. The
            // notes are deleted last; if that fails, they have no effect, because no entry of ours is left.
            let onFailure = record?.onFailure ?? .continue
            manifest.records[settings] = .init(isInstalled: false, onFailure: onFailure, notes: record?.notes)
            try manifest.save(in: home)
            let backup = try apply(change)
            if change.plan.after == nil { InstallFiles.removeEmptyDirectories(record?.notes?.directories ?? []) }
            manifest.records[settings]?.notes = nil
            try? manifest.save(in: home)
            return report(change, [], backup: backup)
        }
    }
}
