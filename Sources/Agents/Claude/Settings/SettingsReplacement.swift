import CPlatform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Replaces the text of a file, or removes the file, unless another process changed it since it was read: then that
/// text stays, and `changedMeanwhile` is thrown.
///
/// A check before a rename would lose a write in between. So the two files are exchanged atomically, and the file that
/// was taken out is checked afterwards, when no process has it open for writing.
struct SettingsReplacement {
    let path: String
    /// The text that was read; `nil` if there was no file.
    let before: [UInt8]?
    /// The longest (blocking) wait for a process that has the file open for writing.
    let patience: Duration
    let observe: @Sendable (SettingsInstaller.Step) throws(InstallError) -> Void

    /// - Parameter staged: A file in the same directory with the new text; it is gone afterwards.
    func put(_ staged: String, _ after: [UInt8]) throws(InstallError) {
        guard before != nil else { return try putFirst(staged) }
        switch cplatform_exchange(staged, path) {
        case 0: break
        case -ENOENT:
            unlink(staged)
            throw .changedMeanwhile(path: path)
        default: return try putWithoutExchange(staged)
        }
        let taken: [UInt8]?
        do {
            try observe(.placed)
            taken = try settled(staged)
        } catch {
            undo(staged, after)
            throw error
        }
        guard taken == before else {
            try giveBack(staged, after)
            throw .changedMeanwhile(path: path)
        }
        try InstallFiles.remove(staged)
    }

    /// - Parameter aside: A name in the same directory that is free to use.
    func remove(to aside: String) throws(InstallError) {
        guard rename(path, aside) == 0 else { throw .changedMeanwhile(path: path) }
        let taken: [UInt8]?
        do {
            try observe(.placed)
            taken = try settled(aside)
        } catch {
            if link(aside, path) == 0 { unlink(aside) }
            throw error
        }
        guard taken == before else {
            // If another process created the file meanwhile, `link` fails and that file stays.
            link(aside, path)
            try InstallFiles.remove(aside)
            throw .changedMeanwhile(path: path)
        }
        try InstallFiles.remove(aside)
    }

    /// Unlike `rename`, `link` does not replace a file that another process has created meanwhile.
    private func putFirst(_ staged: String) throws(InstallError) {
        guard link(staged, path) == 0 else {
            guard errno == EEXIST else { return try putWithoutExchange(staged) }
            unlink(staged)
            throw .changedMeanwhile(path: path)
        }
        try InstallFiles.remove(staged)
    }

    /// For file systems that can neither exchange nor link. A write between the check and the rename is lost.
    private func putWithoutExchange(_ staged: String) throws(InstallError) {
        guard try InstallFiles.read(path)?.bytes == before else {
            unlink(staged)
            throw .changedMeanwhile(path: path)
        }
        try InstallFiles.commit(staged, to: path)
    }

    /// Puts back the other process's text, which is now at `staged`. If that takes out a text that is not ours, it is a
    /// later write, and is put back in turn.
    private func giveBack(_ staged: String, _ ours: [UInt8]) throws(InstallError) {
        var expected: [UInt8]? = ours
        while true {
            let given = try InstallFiles.read(staged)?.bytes
            guard cplatform_exchange(staged, path) == 0 else { return try InstallFiles.commit(staged, to: path) }
            if try settled(staged) == expected { return try InstallFiles.remove(staged) }
            expected = given
        }
    }

    /// Puts the file that was taken out back, if it cannot be read: the error says that the file is unchanged. A text
    /// that another process wrote since stays.
    private func undo(_ staged: String, _ ours: [UInt8]) {
        guard cplatform_exchange(staged, path) == 0 else { return }
        if (try? InstallFiles.read(staged))?.bytes == ours {
            unlink(staged)
        } else {
            _ = cplatform_exchange(staged, path)
        }
    }

    /// The file's text once no process has it open for writing, or after `patience`; `nil` without a file.
    private func settled(_ path: String) throws(InstallError) -> [UInt8]? {
        InstallFiles.waitForWriters(of: path, patience: patience)
        return try InstallFiles.read(path)?.bytes
    }
}

extension InstallFiles {
    /// Waits (blocking) until no process has the file open for writing, because an earlier read may get half a text.
    /// Returns at once where the system cannot tell.
    static func waitForWriters(of path: String, patience: Duration) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        let deadline = ContinuousClock.now + patience
        while cplatform_has_writers(file) == 1, ContinuousClock.now < deadline { usleep(pause) }
    }

    /// Microseconds between two checks. A settings file is written in less time.
    private static let pause: UInt32 = 1000
}
