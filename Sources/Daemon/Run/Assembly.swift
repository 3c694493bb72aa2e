import Core
import Dialects
import Glibc
import Host
import Platform
import Services
import Transport

/// The parts of a daemon, each made with the parts it needs and complete from then on.
struct Assembly {
    let options: ServeOptions
    let resources: Resources
    let broker: Broker
    let environment: DaemonEnvironment
    let changed: ChangeSignal
    let polls: EventPolls
    let eventThreads: LoopThreads
    let hub: EventHub
    let subscribers: Subscribers<WebSocketClient>
    let approvers: Approvers
    let devices: DeviceManager
    let notifier: Notifier
    let hooks: HookKeeper
    let server: Server
    let socketKeeper: SocketKeeper

    init(_ resources: Resources, _ options: ServeOptions, _ parts: DaemonParts) {
        self.options = options
        self.resources = resources
        let (store, clock, log) = (resources.store, resources.clock, resources.log)
        let (reach, policy) = (resources.reach, resources.configuration.policy)
        let source = SystemSecrets()
        changed = ChangeSignal()
        polls = EventPolls(clock: clock, changed: changed)
        eventThreads = LoopThreads(loop: resources.loop)
        subscribers = Subscribers(polls: polls, threads: eventThreads, limits: parts.eventLimits) {
            EventFrames(EventEncoder.encode($0))
        }
        let register = DeviceRegister(resources.devices, store: store, source: source, clock: clock)
        let notifications = NotificationParts(
            resources, home: options.home, register: register, source: source, changed: changed)
        notifier = notifications.notifier
        hub = EventHub(persistence: store, listeners: [subscribers, polls, notifier, EventLog(log: log)])
        environment = DaemonEnvironment(clock: clock, processes: parts.processes, hub: hub)
        broker = Broker(
            policy: policy, environment: environment, persistence: store, judge: parts.judge,
            claudeRules: parts.claudeRules, executor: resources.loop)
        approvers = Approvers([subscribers, polls, notifier], broker: broker)
        devices = DeviceManager(
            register: register, store: store, broker: broker, connections: subscribers, listeners: [notifier],
            source: source, clock: clock, log: log)
        let pairing = PairingManager(devices: devices, broker: broker, source: source, clock: clock, log: log) {
            reach.baseURL.description
        }
        hooks = HookKeeper(options: options, log: log)
        let socket = Locked(SocketState())
        let facts = DaemonFacts(
            broker: broker, store: store, clock: clock, startedAt: clock.now(), options: options, policy: policy,
            hooks: hooks, socket: socket, notifier: notifier, addresses: resources.listeners.addresses, reach: reach)
        let dispatcher = Dispatcher(
            services: MethodServices(
                access: AccessChecks(
                    register: register, broker: broker, refusals: RefusalLog(log: log, clock: clock)),
                devices: devices, history: HistorySearch(store: store), notices: notifier, pairing: pairing,
                permissions: broker, polls: polls,
                previews: PreviewReader(broker: broker, judge: parts.judge, files: ChangedFile(), clock: clock),
                sessions: facts))
        let clients = ClientServices(
            subscribers: subscribers, approvers: approvers, clock: clock, devices: register, dispatcher: dispatcher,
            log: log)
        let authenticator = Authenticator(
            hosts: reach.requestGuard(user: geteuid()),
            proxies: TrustedProxies(ranges: resources.configuration.trustedProxies), reach: reach, devices: register,
            processes: parts.processes, broker: broker, clock: clock, log: log,
            refusals: RefusalLog(log: log, clock: clock))
        let router = Router(
            authenticator: authenticator,
            answers: AnswerLinkEndpoint(
                authenticator: authenticator, links: AnswerLinkService(links: notifications.links, broker: broker)),
            hooks: HookEndpoint(authenticator: authenticator, broker: broker, clock: clock, log: log),
            rpc: RPCEndpoint(authenticator: authenticator, services: clients),
            access: AccessEndpoint(authenticator: authenticator, devices: devices, pairing: pairing), services: clients)
        server = Server(loop: resources.loop, limits: parts.limits, handler: router)
        socketKeeper = SocketKeeper(
            socket: options.socket, home: resources.home, server: server, clock: clock, log: log, state: socket)
    }

    /// Where the daemon is found, as people read it: `unix:/home/me/.cdev/cdev.sock, http://127.0.0.1:8766`.
    var addresses: String {
        let scheme = resources.reach.certificates == nil ? "http" : "https"
        let served = resources.listeners.addresses.map { "\(scheme)://\($0)" }
        return (["unix:\(options.socket)"] + served).joined(separator: ", ")
    }
}
