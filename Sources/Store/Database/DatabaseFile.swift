import CSQLite
import Core
import Platform

/// The database's file and the files that SQLite keeps beside it.
struct DatabaseFile {
    let path: String

    /// Suffixes of the files. The database itself comes last: while it is in its place, `setAside` can be repeated.
    private static let companions = ["-wal", "-shm", ""]

    /// Creates the file, accessible to our user alone, if it is missing.
    func prepare() throws(StoreError) {
        let failure = csqlite_private_file(path)
        guard failure != 0 else { return }
        let kind: StoreError.Kind =
            switch failure {
            case EROFS: .readOnly
            case ENOSPC, EDQUOT: .full
            case EIO: .inputOutput
            default: .cannotOpen
            }
        throw StoreError(kind, "\(path): \(SystemError(code: failure))")
    }

    /// Renames the file and its companions, so that a person can still look at them. Returns the new path of the file;
    /// `nil` if nothing was there.
    func setAside(at time: Timestamp) throws(StoreError) -> String? {
        let target = freeName(path + ".corrupt-" + time.rfc3339)
        let found = Self.companions.filter { exists(path + $0) }
        for companion in found {
            let failure = csqlite_rename(path + companion, target + companion)
            guard failure == 0 else {
                let reason = SystemError(code: failure).description
                throw StoreError(.cannotOpen, "\(path)\(companion) is damaged and cannot be moved: \(reason)")
            }
        }
        return found.isEmpty ? nil : target
    }

    /// Removes a new database that could not be filled.
    func discard() {
        for companion in Self.companions { unlink(path + companion) }
    }

    private func freeName(_ name: String) -> String {
        guard exists(name) else { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { !exists($0) } ?? name
    }

    private func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
