package import Core
package import OrderedJSON

/// The state of the running daemon, for `cdev status`.
package struct DaemonStatus: Sendable, Hashable {
    package var version: String
    package var pid: Int32
    package var startedAt: Instant
    package var now: Instant
    package var home: String
    package var socket: String
    /// The time at which the socket or a lock beside it was last made again, its file having been deleted.
    package var socketRestoredAt: Timestamp?
    /// The reason for which the socket could not be made again; nil while it is in its place.
    package var socketProblem: String?
    /// `127.0.0.1:8766`; nil without a TCP listener.
    package var address: String?
    package var log: String
    package var stats: BrokerStats
    package var gate: Policy.Gate
    /// The state of the installed hooks, as JSON.
    package var hooks: JSON
    /// The notification channels and their states: a list.
    package var notify: JSON
    /// The members about the network: `base_url`, `beyond_loopback`, `insecure`, `public_url`, `tls`.
    package var reach: JSONObject = [:]

    package init(
        version: String, pid: Int32, startedAt: Instant, now: Instant, home: String, socket: String,
        address: String?, log: String, stats: BrokerStats, gate: Policy.Gate, hooks: JSON,
        notify: JSON = []
    ) {
        self.version = version
        self.pid = pid
        self.startedAt = startedAt
        self.now = now
        self.home = home
        self.socket = socket
        self.address = address
        self.log = log
        self.stats = stats
        self.gate = gate
        self.hooks = hooks
        self.notify = notify
    }

    package var uptime: Int {
        Int(now.uptime.seconds(since: startedAt.uptime))
    }
}
