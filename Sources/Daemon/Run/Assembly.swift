import Agents
import Core
import Dialects
import Glibc
import Host
import Platform
import Services
import Transport

/// The parts of a daemon, each made with the parts it needs, and not changed afterwards.
struct Assembly {
    let options: ServeOptions
    let resources: Resources
    let broker: Broker
    let environment: LiveEnvironment
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
    let keptFiles: KeptFiles
    let observation: ObservationParts

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
        let register = DeviceRegister(
            resources.devices, days: resources.configuration.deviceDays, store: store, source: source, clock: clock)
        let notifications = NotificationParts(
            resources, home: options.home, register: register, source: source, changed: changed)
        notifier = notifications.notifier
        let places = WorkspaceRegister(resources.workspaces, clock: clock)
        hub = EventHub(
            persistence: store, listeners: [subscribers, polls, notifier, EventLog(log: log) { $0.wireName }],
            workspace: places.id)
        environment = LiveEnvironment(
            clock: clock, hub: hub, transcript: { ClaudeTranscript.end(for: $0) },
            startTime: { [processes = parts.processes] in processes.startTime(of: $0) })
        broker = Broker(
            policy: policy, environment: environment, persistence: store, evaluator: parts.evaluator,
            claudeRules: parts.claudeRules, executor: resources.loop)
        observation = ObservationParts(
            resources, options, parts, places: places, broker: broker, hub: hub, threads: eventThreads,
            subscribers: subscribers)
        approvers = Approvers([subscribers, polls, notifier], broker: broker)
        devices = DeviceManager(
            register: register, store: store, broker: broker, connections: subscribers, listeners: [notifier],
            source: source, clock: clock, log: log)
        let pairing = PairingManager(devices: devices, broker: broker, source: source, clock: clock, log: log) {
            reach.baseURL.description
        }
        hooks = HookKeeper(options.hooks, home: options.home, socket: options.socket, log: log)
        let socket = Locked(SocketState())
        let facts = DaemonFacts(
            broker: broker, store: store, clock: clock, startedAt: clock.now(), options: options, policy: policy,
            hooks: hooks, socket: socket, notifier: notifier, addresses: resources.listeners.addresses, reach: reach,
            certificates: resources.certificates, isInsecure: resources.configuration.isInsecure)
        let dispatcher = Dispatcher(
            services: MethodServices(
                access: AccessChecks(
                    register: register, broker: broker, refusals: RefusalLog(log: log, clock: clock)),
                devices: devices, files: observation.files.service, git: observation.git.service,
                noteInterest: observation.git.watcher.noteInterest,
                history: HistorySearch(store: store), notices: notifier, pairing: pairing, permissions: broker,
                polls: polls,
                previews: PreviewReader(broker: broker, evaluator: parts.evaluator, files: ChangedFile(), clock: clock),
                sessions: facts, transcripts: observation.transcripts.manager, viewers: observation.workspaces.viewers,
                workspaces: observation.workspaces.manager))
        let clients = ClientServices(
            subscribers: subscribers, approvers: approvers, devices: register, dispatcher: dispatcher,
            viewers: observation.workspaces.viewers, clock: clock, log: log,
            listeners: [observation.transcripts.manager])
        let refusals = RefusalLog(log: log, clock: clock)
        let authenticator = Authenticator(
            resources, devices: register, processes: parts.processes, broker: broker, refusals: refusals)
        let routes = RouteParts(
            broker: broker, certificates: resources.certificates, clients: clients, clock: clock, devices: devices,
            links: notifications.links, log: log, pairing: pairing, places: places, processes: parts.processes,
            refusals: refusals
        ).routes
        let server = Server(
            loop: resources.loop, limits: parts.limits, handler: Router(authenticator: authenticator, routes: routes))
        self.server = server
        let socketKeeper = SocketKeeper(socket: options.socket, state: socket, clock: clock, log: log) {
            [home = resources.home] in
            let hasLocked = try home.restoreLock()
            return try await server.restoreUnixSocket() || hasLocked
        }
        keptFiles = KeptFiles(resources, options, parts, socketKeeper)
    }

    /// The addresses of the daemon, for people: `unix:/home/me/.cdev/cdev.sock, http://127.0.0.1:8766`.
    var addresses: String {
        let scheme = resources.certificates == nil ? "http" : "https"
        let served = resources.listeners.addresses.map { "\(scheme)://\($0)" }
        return (["unix:\(options.socket)"] + served).joined(separator: ", ")
    }
}

extension Authenticator {
    fileprivate init(
        _ resources: Resources, devices: DeviceRegister, processes: ProcessTable, broker: Broker, refusals: RefusalLog
    ) {
        let (reach, configuration) = (resources.reach, resources.configuration)
        self.init(
            hosts: reach.requestGuard(user: geteuid()), proxies: TrustedProxies(ranges: configuration.trustedProxies),
            reach: reach,
            takesUnverifiedHooks: configuration.httpHooks ?? (reach.publicURL == nil && !reach.isBeyondLoopback),
            devices: devices, processes: processes, broker: broker, clock: resources.clock, refusals: refusals)
    }
}
