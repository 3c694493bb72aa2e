import Core
import Dialects
import Glibc
import Host
import Loop
import Notify
import Platform
import Services
import Store
import Transport
import Wire

/// The parts of a daemon before its doors are open.
struct Building {
    let options: ServeOptions
    let configuration: Configuration
    let home: HomeDirectory
    let log: ServerLog
    let loop: EventLoop
    let clock: any TimeSource
    let store: Store
    let remembered: Remembered
    let environment: DaemonEnvironment
    let broker: Broker
    let changed: ChangeSignal
    let polls: EventPolls
    let subscribers: Subscribers<WebSocketClient>
    let approvers: Approvers
    let register: DeviceRegister
    let devices: DeviceManager
    let links: AnswerLinks
    let notifier: Notifier
    let pairing: PairingManager
    let dispatcher: Dispatcher
    let address: Locked<String?>
    let keeper: HookKeeper
    let reach: Reach
    let parts: DaemonParts
    let server: Server
    let socketKeeper: SocketKeeper
    let gateway: Gateway

    init(_ options: ServeOptions, _ parts: DaemonParts) async throws(StartError) {
        self.options = options
        self.parts = parts
        home = try HomeDirectory(path: options.home)
        let reader: ConfigurationReader
        do throws(ConfigurationError) {
            reader = try ConfigurationReader(path: options.configurationPath)
            configuration = try options.applied(to: reader.configuration)
        } catch {
            throw .configuration(error)
        }
        loop = try Self.makeLoop()
        let clock = parts.clock ?? SystemClock(loop: loop)
        self.clock = clock
        log = ServerLog(
            path: options.logPath, level: options.logLevel, now: { clock.now().wall }, echoes: parts.echoesLog)
        for warning in reader.warnings { log.warning(warning) }
        reach = try await Self.reach(configuration, home: options.home, clock, log, loop)
        (store, remembered) = try await Self.open(options, parts, loop)
        changed = ChangeSignal()
        polls = EventPolls(clock: clock, changed: changed)
        subscribers = Subscribers(polls: polls)
        let source = SystemSecrets()
        let known = await Self.devices(of: store, log)
        register = DeviceRegister(known, store: store, source: source, clock: clock)
        let address = Locked<String?>(nil)
        self.address = address
        (notifier, links) = await Self.notifier(
            configuration.notify, options, store, register: register, devices: known, source: source,
            changed: changed, clock: clock, log: log, reach: reach, remembered: remembered)
        environment = DaemonEnvironment(
            loop: loop, clock: clock, processes: parts.processes, persistence: store,
            subscribers: subscribers, polls: polls, notifier: notifier, log: log)
        broker = Broker(
            policy: configuration.policy, environment: environment, persistence: store, judge: parts.judge,
            claudeRules: parts.claudeRules, executor: loop)
        approvers = Approvers([subscribers, polls, notifier], broker: broker)
        devices = DeviceManager(
            register: register, store: store, broker: broker, connections: subscribers, listeners: [notifier],
            source: source, clock: clock, log: log)
        pairing = PairingManager(devices: devices, broker: broker, source: source, clock: clock, log: log) { [reach] in
            reach.baseURL.description
        }
        keeper = HookKeeper(options: options, log: log)
        gateway = Gateway()
        server = Server(loop: loop, limits: parts.limits, handler: gateway)
        socketKeeper = SocketKeeper(socket: options.socket, home: home, server: server, clock: clock, log: log)
        let facts = DaemonFacts(
            broker: broker, store: store, clock: clock, startedAt: clock.now(),
            options: options, policy: configuration.policy, hooks: keeper, socket: socketKeeper, notifier: notifier,
            address: address, reach: reach)
        let access = AccessChecks(register: register, broker: broker, refusals: RefusalLog(log: log, clock: clock))
        let previews = PreviewReader(broker: broker, judge: parts.judge, files: ChangedFile(), clock: clock)
        dispatcher = Dispatcher(
            services: Services(
                access: access, devices: devices, history: HistorySearch(store: store), notices: notifier,
                pairing: pairing, permissions: broker, polls: polls, previews: previews, sessions: facts))
    }

    private static func makeLoop() throws(StartError) -> EventLoop {
        do throws(SystemError) { return try EventLoop() } catch {
            throw .system("starting the event loop", code: error.code)
        }
    }

    private static func reach(
        _ configuration: Configuration, home: String, _ clock: any TimeSource, _ log: ServerLog, _ loop: EventLoop
    ) async throws(StartError) -> Reach {
        do throws(StartError) {
            return try Reach(configuration, home: home, at: clock.now().wall, log: log)
        } catch {
            await loop.stop()
            throw error
        }
    }

    private static func open(
        _ options: ServeOptions, _ parts: DaemonParts, _ loop: EventLoop
    ) async throws(StartError) -> (Store, Remembered) {
        var storeOptions = parts.storeOptions
        storeOptions.boot = parts.processes.boot
        do throws(StoreError) {
            let (store, remembered) = try await Store.open(options.databasePath, options: storeOptions)
            return (store, remembered)
        } catch {
            await loop.stop()
            throw .store(error)
        }
    }

    /// A device that cannot be read is locked out, which is better than no daemon.
    private static func devices(of store: Store, _ log: ServerLog) async -> [Device] {
        do throws(StoreError) {
            return try await store.devices()
        } catch {
            log.error("devices could not be read, so none can connect: \(error)")
            return []
        }
    }

    // MARK: Doors

    /// The Unix socket last: whoever finds it finds a daemon that is complete.
    func openDoors() async throws(StartError) -> [TCPAddress] {
        Task.detached { [approvers, changed] in await approvers.follow(changed) }
        await approvers.tell()
        if let certificates = reach.certificates { await server.serve(tls: certificates.context) }
        let addresses = try await listen()
        reach.open(addresses)
        if reach.leadsHereOnly { obstructChannels() }
        gateway.open(router())
        do throws(ListenError) { try await server.listen(unix: options.socket) } catch { throw .listen(error) }
        address.withLock { $0 = addresses.first?.description }
        home.note(doors: doors(addresses))
        return addresses
    }

    /// Links lead to an address that only this machine opens: no answer can come of the channels that send them. Push
    /// messages are another matter: they open the page where the browser has found it before.
    private func obstructChannels() {
        let obstacle = "its links lead to \(reach.baseURL), which only this machine can open"
        for channel in configuration.notify.channels(obstacle: obstacle) where channel.obstacle != nil {
            log.warning("no answer can come of a channel: \(obstacle); set public_url", ["channel": channel.id])
            notifier.add(channel)
        }
    }

    /// As people read it: `unix:/home/me/.cdev/cdev.sock, http://127.0.0.1:8766`.
    func doors(_ addresses: [TCPAddress]) -> String {
        let scheme = reach.certificates == nil ? "http" : "https"
        return (["unix:\(options.socket)"] + addresses.map { "\(scheme)://\($0)" }).joined(separator: ", ")
    }

    private func listen() async throws(StartError) -> [TCPAddress] {
        // Asked before the door is opened, and again once a name has become addresses.
        if !mayLeaveLoopback, !Reach.isLoopback(configuration.host) { throw .openWithoutTLS(host: configuration.host) }
        let addresses: [TCPAddress]
        do throws(ListenError) {
            addresses = try await server.listen(tcp: configuration.host, port: configuration.port)
        } catch {
            throw .listen(error)
        }
        if addresses.allSatisfy(\.isLoopback) { return addresses }
        guard mayLeaveLoopback else { throw .openWithoutTLS(host: configuration.host) }
        if reach.certificates == nil {
            log.warning("--insecure: everybody on the way to \(configuration.host) can read the tokens and the cards")
        }
        return addresses
    }

    private var mayLeaveLoopback: Bool { reach.certificates != nil || configuration.isInsecure }

    private func router() -> Router {
        let door = Door(
            hosts: reach.requestGuard(user: geteuid()), proxies: TrustedProxies(ranges: configuration.trustedProxies),
            reach: reach, devices: register, processes: parts.processes, broker: broker, clock: clock, log: log,
            refusals: RefusalLog(log: log, clock: clock))
        let services = ClientServices(
            subscribers: subscribers, approvers: approvers, clock: clock, devices: register, dispatcher: dispatcher,
            log: log)
        return Router(
            door: door, answers: AnswerLinkEndpoint(door: door, links: AnswerLinkService(links: links, broker: broker)),
            hooks: HookEndpoint(door: door, broker: broker, clock: clock, log: log),
            rpc: RPCEndpoint(door: door, services: services),
            access: AccessEndpoint(door: door, devices: devices, pairing: pairing),
            services: services)
    }

    // MARK: What happens again and again

    func startRepeaters() -> [Repeater] {
        let startedAt = clock.now()
        let beat = Repeater(every: 30, of: clock) { [subscribers, clock] in
            let now = clock.now()
            subscribers.send(
                EventEncoder.heartbeat(at: now.wall, uptime: Int(now.uptime.seconds(since: startedAt.uptime))))
        }
        let retention = Retention(days: configuration.retentionDays)
        let sweep = Repeater(every: 60, of: clock) { [devices, notifier, store, log, keeper, reach, server, clock] in
            Task.detached {
                keeper.look()
                if let context = reach.certificates?.look(at: clock.now().wall) { await server.serve(tls: context) }
                await devices.lookAround()
                await notifier.pushes.writeForgotten()
                do { try await store.sweep(retention) } catch { log.warning("old entries were not removed: \(error)") }
            }
        }
        let storeKeeper = StoreKeeper(store: store, log: log)
        let watch = Repeater(every: Self.lookSeconds, of: clock) { [socketKeeper, log] in
            Task.detached {
                log.look()
                await socketKeeper.look()
            }
            Task.detached { await storeKeeper.look() }
        }
        Task.detached { [keeper] in
            CommandTable.prepare()
            keeper.begin()
        }
        return [beat, sweep, watch]
    }

    /// A hook that comes while the socket is gone goes unheard, and of a database that is gone a person should know;
    /// looking costs a few system calls.
    private static let lookSeconds = 1.0

    func undo() async {
        await server.stop()
        gateway.close()
        notifier.stop()
        changed.finish()
        environment.stop()
        await environment.drain()
        try? await store.close(nextSequence: await broker.nextSequence)
        await loop.stop()
        home.release()
    }
}

/// Stands before the router, which can only be made once the port is known.
final class Gateway: HTTPHandler {
    private let router = Locked<Router?>(nil)

    func open(_ router: Router) {
        self.router.withLock { $0 = router }
    }

    /// Lets go of the router, which leads to all parts, and so to the server that holds the gateway. Call it once the
    /// server has stopped.
    func close() {
        router.withLock { $0 = nil }
    }

    func handle(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) async -> HTTPResponse {
        guard let router = router.withLock({ $0 }) else { return Self.notYet }
        return await router.handle(consume request, from: peer, via: exchange)
    }

    func upgrade(_ request: HTTPRequest, from peer: Peer) async -> UpgradeDecision {
        guard let router = router.withLock({ $0 }) else { return .refuse(Self.notYet) }
        return await router.upgrade(request, from: peer)
    }

    private static var notYet: HTTPResponse { .error(.serviceUnavailable, "the daemon is starting; try again") }
}
