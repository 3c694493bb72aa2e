import Platform

extension SettingsInstaller {
    /// A plan with the attributes of the file that it was made from.
    struct Change {
        let plan: SettingsPlan
        let attributes: FileAttributes?
    }

    /// Path of the copy of the settings before our last change; one for each settings file.
    package var backup: String {
        let name = settings.utf8.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return home + "/backup/settings-" + String(name, radix: 16) + ".json"
    }

    /// The lock file beside the settings.
    private var lock: String {
        AtomicFile.parent(of: settings) + "/.cdev-lock"
    }

    /// Runs the body with the lock held, again if the file was changed meanwhile. A dry run takes no lock, because a
    /// lock is a file and a dry run writes none.
    func exclusively<Result>(
        dryRun: Bool, _ body: () throws(InstallError) -> Result
    ) throws(InstallError) -> Result {
        try observe(.called)
        guard !dryRun else { return try body() }
        _ = try InstallFiles.createDirectory(home)
        let subject = InstallManifest.path(in: home)
        return try InstallLock.whileHeld(home + "/installed.lock", subject: subject, patience: patience) {
            () throws(InstallError) in
            // Claude Code, or a cdev with another home, may change the file between our read and our write.
            for _ in 1..<Self.attempts {
                do throws(InstallError) {
                    return try body()
                } catch {
                    guard case .changedMeanwhile = error else { throw error }
                }
            }
            return try body()
        }
    }

    private static var attempts: Int { 10 }

    func change(
        _ plan: ([UInt8]?) throws(SettingsError) -> SettingsPlan
    ) throws(InstallError) -> Change {
        InstallFiles.waitForWriters(of: settings, patience: patience)
        let file = try InstallFiles.read(settings)
        let change: Change
        do {
            change = Change(plan: try plan(file?.bytes), attributes: file?.attributes)
        } catch {
            throw .refused(path: settings, error)
        }
        try observe(.planned)
        return change
    }

    /// Creates the directory of the settings file if it is missing.
    /// - Returns: All directories that any install had to create for the file.
    func directories(
        before change: Change, _ record: InstallManifest.Record?
    ) throws(InstallError) -> [String] {
        let created = try InstallFiles.createDirectory(AtomicFile.parent(of: settings))
        return change.plan.notes.isFileCreated ? (created.isEmpty ? record?.notes?.directories ?? [] : created) : []
    }

    /// - Returns: The path of the backup, if there was anything to back up.
    func apply(_ change: Change) throws(InstallError) -> String? {
        guard !change.plan.isUnchanged else { return nil }
        return try InstallLock.whileHeld(lock, subject: settings, patience: patience) { () throws(InstallError) in
            guard try InstallFiles.read(settings)?.bytes == change.plan.before else {
                throw .changedMeanwhile(path: settings)
            }
            let backup = try keepBackup(of: change.plan.before)
            try replace(change)
            // A process that read the file before our change may have written it since, without our change.
            guard try readAgain() == change.plan.after else { throw .changedMeanwhile(path: settings) }
            return backup
        }
    }

    private func readAgain() throws(InstallError) -> [UInt8]? {
        do throws(InstallError) {
            return try InstallFiles.read(settings)?.bytes
        } catch {
            guard case .failed(_, _, let reason) = error else { throw error }
            throw .unconfirmed(path: settings, reason: reason)
        }
    }

    private func replace(_ change: Change) throws(InstallError) {
        let staged = AtomicFile.parent(of: settings) + "/.cdev-settings.new"
        let replacement = SettingsReplacement(
            path: settings, before: change.plan.before, patience: patience, observe: observe)
        guard let after = change.plan.after else {
            try observe(.staged)
            return try replacement.remove(to: staged)
        }
        try InstallFiles.stage(after, at: staged, change.attributes ?? .ofPrivateFile)
        try observe(.staged)
        try replacement.put(staged, after)
    }

    private func keepBackup(of text: [UInt8]?) throws(InstallError) -> String? {
        guard let text else { return nil }
        _ = try InstallFiles.createDirectory(AtomicFile.parent(of: backup))
        try InstallFiles.replace(backup, with: text, .ofPrivateFile)
        return backup
    }

    func report(_ change: Change, _ scripts: [String], backup: String?) -> Report {
        Report(
            settings: settings, changes: change.plan.changes, scripts: scripts,
            diff: change.plan.unifiedDiff(path: settings), backup: backup)
    }
}
