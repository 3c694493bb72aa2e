import Agents
import Core
import Glibc
import OrderedJSON
import Platform
import Services
import Store
import Transport

/// The state of the daemon, for the methods about sessions and status.
struct DaemonFacts: Sendable {
    let broker: Broker
    let store: Store
    let clock: any TimeSource
    let startedAt: Instant
    let options: ServeOptions
    let policy: Policy
    let hooks: HookKeeper
    let socket: Locked<SocketState>
    let notifier: Notifier
    let addresses: [TCPAddress]
    let reach: Reach
    let certificates: Certificates?
    /// True if the command line allowed listening beyond loopback without TLS.
    let isInsecure: Bool
}

extension DaemonFacts: SessionService {
    func sessions() async -> [SessionView] { await broker.sessions() }

    func stats() async -> BrokerStats {
        var stats = await broker.stats()
        let status = store.status
        stats.storeFailure = status.failure?.description ?? status.notice
        return stats
    }

    func status() async -> DaemonStatus {
        let seen = await hooks.seen()
        let now = clock.now()
        var status = DaemonStatus(
            version: Version.text, pid: getpid(), startedAt: startedAt, now: now, home: options.home,
            socket: options.socket, address: addresses.first?.description, log: options.logPath, stats: await stats(),
            gate: policy.gate, hooks: seen, notify: notifier.description)
        status.reach = reached(at: now.wall)
        (status.socketRestoredAt, status.socketProblem) = socket.withLock { ($0.restoredAt, $0.problem) }
        return status
    }

    private func reached(at now: Timestamp) -> JSONObject {
        let isBeyond = reach.isBeyondLoopback
        return [
            "base_url": .string(reach.baseURL.description), "beyond_loopback": .bool(isBeyond),
            "insecure": .bool(isInsecure && certificates == nil && isBeyond),
            "public_url": reach.publicURL.map { .string($0.description) } ?? .null,
            "tls": certificates?.keeper.description(at: now) ?? ["mode": "off"],
        ]
    }
}
