import CSQLite

/// The reason for which the store could not read or write. `description` says what happened, what it means and what to
/// do.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// Another process holds the write lock.
        case busy
        case cannotOpen
        /// `close` was called.
        case closed
        case corrupt
        /// A device that is not revoked has this name.
        case deviceNameTaken(String)
        /// A SQLite database, but not one of ours.
        case foreign
        case full
        case inputOutput
        /// The files at the path are no longer those that the connection writes to.
        case lost
        /// The database was written by a later version of cdev: the version found, and the latest that this one can
        /// read.
        case newer(found: Int, supported: Int)
        case other
        case readOnly
        /// The index of transcripts leaves the rest of the disk to decisions.
        case scarce
    }

    package let kind: Kind
    /// SQLite's message and code, or the system's.
    package let detail: String

    init(_ kind: Kind, _ detail: String = "") {
        self.kind = kind
        self.detail = detail
    }

    /// From an extended result code (<https://www.sqlite.org/rescode.html>).
    package init(code: Int32, message: String) {
        self.init(Self.kind(of: code & 0xff), "SQLite: \(message), code \(code)")
    }

    private static func kind(of primary: Int32) -> Kind {
        switch primary {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_FULL: .full
        case SQLITE_IOERR: .inputOutput
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
        default: .other
        }
    }
}

extension StoreError {
    package var description: String {
        let parts = [happened + (detail.isEmpty ? "" : " (\(detail))"), meaning, remedy]
        return parts.filter { !$0.isEmpty }.map { $0 + "." }.joined(separator: " ")
    }

    /// The description for an error that ends the daemon at its start: no decisions are made, and nothing recovers by
    /// itself.
    package var descriptionAtStart: String {
        let happened = happened + (detail.isEmpty ? "" : " (\(detail))")
        return "\(happened). The daemon has not started. \(remedyAtStart)."
    }

    /// The fault, without the full stop.
    package var happened: String {
        switch kind {
        case .busy: "another process has locked the database cdev.db"
        case .cannotOpen: "the database cdev.db cannot be opened"
        case .closed: "the database is closed: the daemon is stopping"
        case .corrupt: "the database cdev.db is damaged"
        case .foreign: "cdev.db is a database of another program"
        case .full: "the disk that holds the database cdev.db is full"
        case .inputOutput: "the disk that holds the database cdev.db does not read or write"
        case .lost: "the database was changed under the running daemon"
        case .newer(let found, let supported):
            "the database cdev.db is of version \(found), and this cdev knows versions up to \(supported)"
        case .other: "the database cdev.db does not work"
        case .readOnly: "the database cdev.db may not be written"
        case .scarce: "the disk has little space left, which is kept for decisions, so no more transcripts are taken in"
        case .deviceNameTaken(let name): "a device or token named \(name) exists already"
        }
    }

    private var meaning: String {
        switch kind {
        case .closed, .deviceNameTaken, .foreign, .newer, .scarce: ""
        default:
            "Decisions cannot be recorded, so no allow is given; denies are, and what a rule allows goes on and is "
                + "missing from the log"
        }
    }

    /// The remedy, without the full stop.
    package var remedy: String {
        switch kind {
        case .busy: "End the process that holds it (fuser cdev.db names it)"
        case .cannotOpen, .readOnly: "Let your user read and write the directory of cdev.db and the files in it"
        case .closed: "Try again once the daemon is back"
        case .corrupt: "Restart cdev: it sets the damaged file aside and goes on with a new one"
        case .foreign: "Move that file away, or give cdev another home with --home"
        case .full, .scarce: "Free some space; cdev recovers by itself"
        case .inputOutput: "Look for disk faults in the system's log, then restart cdev"
        case .lost: "cdev begins a new file by itself; let your user write the directory of cdev.db"
        case .newer: "Install the newer cdev again, or move cdev.db away to begin anew without its rules and devices"
        case .other: "See the daemon's log, then restart cdev"
        case .deviceNameTaken: "Choose another name, or revoke that one first"
        }
    }

    private var remedyAtStart: String {
        switch kind {
        case .busy, .cannotOpen, .readOnly: "\(remedy), then start cdev again"
        case .corrupt: "Move cdev.db and the files whose names begin so away, then start cdev again"
        case .full: "Free some space, then start cdev again"
        case .lost: "Find out what changes the files of cdev.db, then start cdev again"
        case .closed, .deviceNameTaken, .foreign, .inputOutput, .newer, .other, .scarce: remedy
        }
    }
}
