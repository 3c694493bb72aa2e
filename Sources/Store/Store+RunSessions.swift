package import Core

/// Sessions that the daemon runs.
extension Store {
    /// Those that have not ended, oldest first.
    package func runSessions() throws(StoreError) -> [RunSession] {
        let boot = options.boot
        return try withRepair { (database) throws(StoreError) in try database.runSessions(boot: boot) }
    }

    /// Writes sessions; one that has ended is deleted.
    package func keep(_ sessions: [RunSession]) throws(StoreError) {
        let boot = options.boot
        try change(.normal) { (database) throws(StoreError) in
            for session in sessions {
                if session.phase == .ended {
                    try database.deleteRunSession(id: session.id)
                } else {
                    try database.write(session, boot: boot)
                }
            }
        }
        for session in sessions { live.note(session) }
    }
}
