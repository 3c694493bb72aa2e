package import Core

/// The sessions, and the state of the daemon.
package protocol SessionService: Sendable {
    func sessions() async -> [SessionView]
    func stats() async -> BrokerStats
    func status() async -> DaemonStatus
}
