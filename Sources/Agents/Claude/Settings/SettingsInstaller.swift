/// Installs our hooks into a settings file of Claude Code, and takes them out again.
package struct SettingsInstaller: Sendable {
    /// What was done, or with a dry run would be.
    package struct Report: Sendable {
        /// The file itself, links resolved.
        package let settings: String
        package let changes: [SettingsChange]
        /// Paths of scripts written, sorted.
        package let scripts: [String]
        /// As `diff -u` shows it; empty if the settings stay as they are.
        package let diff: String
        /// The settings as they were before; nil if there were none or nothing changed.
        package let backup: String?

        package var isUnchanged: Bool { diff.isEmpty && scripts.isEmpty }
    }

    /// Where something may come in between, for tests.
    package enum Step: Sendable {
        /// The file was read, nothing is written yet.
        case planned
        /// The new text is on the disk, under another name, or there shall be no file.
        case staged
        /// The new text is in its place, and what it replaced under the other name.
        case placed
    }

    /// The settings file, links resolved.
    package let settings: String
    package let home: String
    let patience: Duration
    let observe: @Sendable (Step) throws(InstallError) -> Void

    /// - Parameters:
    ///   - settings: As `SettingsLocation` gives it; a link is followed.
    ///   - home: cdev's own directory. It gets the scripts, the notes and the backup.
    ///   - patience: How long to wait (blocking) for another process that is changing the same file.
    package init(
        settings: String, home: String, patience: Duration = .seconds(5),
        observe: @escaping @Sendable (Step) throws(InstallError) -> Void = { _ in }
    ) throws(InstallError) {
        self.settings = try InstallFiles.resolve(settings)
        self.home = try InstallFiles.resolve(home)
        self.patience = patience
        self.observe = observe
    }

    /// Whether the user ran uninstall on this file since the last install: then only the user installs again.
    package func wasUninstalledByUser() throws(InstallError) -> Bool {
        try InstallManifest.load(from: home).records[settings]?.isInstalled == false
    }

    /// What the last install was told to do when a hook fails; nil if there was none.
    package func recordedOnFailure() throws(InstallError) -> InstallOnFailure? {
        try InstallManifest.load(from: home).records[settings]?.onFailure
    }

    /// Writes the scripts and adds or repairs the entries. Twice is once.
    /// - Parameters:
    ///   - relay: Absolute path of `cdev-hook`.
    ///   - socket: Absolute path of the daemon's socket.
    ///   - onFailure: Nil leaves it as installed before.
    package func install(
        templates: InstallScripts.Templates, relay: String, socket: String, onFailure: InstallOnFailure? = nil,
        dryRun: Bool = false
    ) throws(InstallError) -> Report {
        try exclusively(dryRun: dryRun) { () throws(InstallError) in
            var manifest = try InstallManifest.load(from: home)
            let record = manifest.records[settings]
            let onFailure = onFailure ?? record?.onFailure ?? .continue
            let scripts = try InstallScripts(templates, relay: relay, socket: socket, onFailure: onFailure)
            let target = InstallTarget(scripts: InstallScripts.directory(in: home), onFailure: onFailure)
            let change = try change { text throws(SettingsError) in
                try .installing(target, in: text, notes: record?.notes)
            }
            guard !dryRun else { return report(change, try scripts.outdated(in: home), backup: nil) }
            // Scripts before entries: no entry shall ever name a script that is not there.
            let written = try scripts.write(in: home)
            var notes = change.plan.notes
            notes.directories = try directories(before: change, record)
            manifest.records[settings] = .init(isInstalled: true, onFailure: onFailure, notes: notes)
            try manifest.save(in: home)
            return report(change, written, backup: try apply(change))
        }
    }

    /// Removes the entries, and notes that the user does not want them. The scripts stay: a running Claude may still call them.
    package func uninstall(dryRun: Bool = false) throws(InstallError) -> Report {
        try exclusively(dryRun: dryRun) { () throws(InstallError) in
            var manifest = try InstallManifest.load(from: home)
            let record = manifest.records[settings]
            let change = try change { text throws(SettingsError) in
                try .uninstalling(from: text, notes: record?.notes)
            }
            guard !dryRun else { return report(change, [], backup: nil) }
            // That the user does not want them is noted first, as nothing may bring them back if this stops half way. What
            // was created is forgotten last, and should that fail, it is void anyway: no entry of ours is left.
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
