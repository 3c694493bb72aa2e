import CPlatform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Puts a new text in the place of a file's, or removes the file, unless somebody else has changed it since it was read:
/// then the file is theirs, and `changedMeanwhile` is thrown.
///
/// Looking first and renaming then would lose what is written in between. So the two files change places at one stroke, and
/// what was taken out is looked at afterwards, once nobody has it open for writing any more.
struct SettingsReplacement {
    let path: String
    /// As the file was read; `nil` if there was none.
    let before: [UInt8]?
    /// How long to wait (blocking) for somebody who has the file open for writing.
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
            // Whoever made a file meanwhile has had the last word.
            link(aside, path)
            try InstallFiles.remove(aside)
            throw .changedMeanwhile(path: path)
        }
        try InstallFiles.remove(aside)
    }

    /// Unlike `rename`, `link` does not replace a file that somebody has made meanwhile.
    private func putFirst(_ staged: String) throws(InstallError) {
        guard link(staged, path) == 0 else {
            guard errno == EEXIST else { return try putWithoutExchange(staged) }
            unlink(staged)
            throw .changedMeanwhile(path: path)
        }
        try InstallFiles.remove(staged)
    }

    /// On a file system that can do neither. What is written between these two lines is lost.
    private func putWithoutExchange(_ staged: String) throws(InstallError) {
        guard try InstallFiles.read(path)?.bytes == before else {
            unlink(staged)
            throw .changedMeanwhile(path: path)
        }
        try InstallFiles.commit(staged, to: path)
    }

    /// Puts somebody else's text, which lies at `staged`, in its place again. If that takes out another than ours, it is the
    /// latest, and stays.
    private func giveBack(_ staged: String, _ ours: [UInt8]) throws(InstallError) {
        var expected: [UInt8]? = ours
        while true {
            let given = try InstallFiles.read(staged)?.bytes
            guard cplatform_exchange(staged, path) == 0 else { return try InstallFiles.commit(staged, to: path) }
            if try settled(staged) == expected { return try InstallFiles.remove(staged) }
            expected = given
        }
    }

    /// Where what was taken out cannot be read, nobody knows whose text it is, so it goes back: the file is as it was, as
    /// the error says. What is not ours and came since stays.
    private func undo(_ staged: String, _ ours: [UInt8]) {
        guard cplatform_exchange(staged, path) == 0 else { return }
        if (try? InstallFiles.read(staged))?.bytes == ours {
            unlink(staged)
        } else {
            _ = cplatform_exchange(staged, path)
        }
    }

    /// What a file holds once nobody writes to it, or patience has come to its end; `nil` if there is none.
    private func settled(_ path: String) throws(InstallError) -> [UInt8]? {
        InstallFiles.waitForWriters(of: path, patience: patience)
        return try InstallFiles.read(path)?.bytes
    }
}

extension InstallFiles {
    /// Waits (blocking) until nobody has the file open for writing: what is read before may be half of a text. Returns at
    /// once where the system cannot tell.
    static func waitForWriters(of path: String, patience: Duration) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        let deadline = ContinuousClock.now + patience
        while cplatform_has_writers(file) == 1, ContinuousClock.now < deadline { usleep(pause) }
    }

    /// Microseconds. Settings are written within one.
    private static let pause: UInt32 = 1000
}
