import Core
import Dialects
import Glibc
import OrderedJSON
import Store
import Transport

/// The broker and the store as the methods want them.
struct DaemonFacts: Sendable {
    let broker: Broker
    let store: Store
    let clock: any WallClock
    let devices: DeviceKeeper
    let log: ServerLog
    let startedAt: Timestamp
    let options: ServeOptions
    let policy: Policy
    let hooks: HookKeeper
    let notifier: Notifier
    let address: Locked<String?>
    let reach: Reach
    /// Lines about what callers may not do, so that none of them turns the log over.
    private let noise = RateLimiter(perMinute: 120)

    init(
        broker: Broker, store: Store, clock: any WallClock, devices: DeviceKeeper, log: ServerLog,
        startedAt: Timestamp, options: ServeOptions, policy: Policy, hooks: HookKeeper, notifier: Notifier,
        address: Locked<String?>, reach: Reach
    ) {
        self.broker = broker
        self.store = store
        self.clock = clock
        self.devices = devices
        self.log = log
        self.startedAt = startedAt
        self.options = options
        self.policy = policy
        self.hooks = hooks
        self.notifier = notifier
        self.address = address
        self.reach = reach
    }
}

extension Broker: PermissionService {}

extension DaemonFacts: AccessService {
    func admits(_ caller: Caller) async -> Bool {
        if case .device(let id, _) = caller.identity { devices.admits(id) } else { true }
    }

    func refused(_ caller: Caller, method: String) async {
        if noise.take(1, for: "", at: clock.now()) {
            log.warning("method refused", ["method": method, "by": caller.logName])
        }
        // A local caller without the rights of the owner is a process inside Claude Code.
        if case .local(let pid) = caller.identity { await broker.agentRefused(method: method, pid: pid) }
    }
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
            socket: options.socket, address: address.withLock { $0 }, log: options.logPath, stats: await stats(),
            gate: policy.gate, hooks: seen, notify: notifier.description)
        status.reach = reach.description(at: now)
        return status
    }
}
