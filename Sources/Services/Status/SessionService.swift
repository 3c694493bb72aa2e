package import Core

/// Sessions that run, and how the daemon does.
package protocol SessionService: Sendable {
    func sessions() async -> [SessionView]
    func stats() async -> BrokerStats
    func status() async -> DaemonStatus
}
