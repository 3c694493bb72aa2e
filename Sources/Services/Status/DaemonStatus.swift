package import Core
package import OrderedJSON

/// What `cdev status` shows of the running daemon.
package struct DaemonStatus: Sendable, Hashable {
    package var version: String
    package var pid: Int32
    package var startedAt: Instant
    package var now: Instant
    package var home: String
    package var socket: String
    /// When the socket or a lock beside it was last made anew, its file having been deleted.
    package var socketRestoredAt: Timestamp?
    /// Why that could not be done; nil while the socket is in its place.
    package var socketProblem: String?
    /// `127.0.0.1:8766`; nil where TCP is not listened to.
    package var address: String?
    package var log: String
    package var stats: BrokerStats
    package var gate: Policy.Gate
    /// What is known of the installed hooks, as its owner describes it.
    package var hooks: JSON
    /// The channels of notifications and how they do, as their owner describes them: a list.
    package var notify: JSON
    /// How it is reached from elsewhere: `base_url`, `beyond_loopback`, `insecure`, `public_url`, `tls`.
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
