import Agents
import Core
import Crypto
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
    let editors: Subscribers<ACPSession>
    let chats: Subscribers<ChatListener>
    let approvers: Approvers
    let devices: DeviceManager
    let notifier: Notifier
    let hooks: HookKeeper
    let server: Server
    let keptFiles: KeptFiles
    let observation: ObservationParts
    let runSessions: RunSessionParts
    let reports: ReportParts

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
        editors = Subscribers(polls: polls, threads: eventThreads, limits: parts.eventLimits) { $0 }
        chats = Subscribers(polls: polls, threads: eventThreads, limits: parts.eventLimits) { ChatEvent($0) }
        let register = DeviceRegister(
            resources.devices, days: resources.configuration.deviceDays, store: store, source: source, clock: clock)
        let notifications = NotificationParts(
            resources, home: options.home, register: register, source: source, changed: changed)
        notifier = notifications.notifier
        reports = ReportParts(resources, listener: notifier)
        let places = WorkspaceRegister(resources.workspaces, clock: clock)
        let runs = RunProcesses()
        let questions = RunQuestions(runs) { [subscribers, editors, chats] in
            subscribers.heard(.live($0))
            editors.heard(.live($0))
            chats.heard(.live($0))
        }
        let writes = ToolWrites()
        let folders = SessionFolders()
        hub = EventHub(
            persistence: store,
            listeners: [
                subscribers, editors, chats, questions, polls, notifier, writes, folders, reports.own,
                EventLog(log: log, clock: clock) { $0.wireName },
            ],
            workspace: places.id)
        environment = LiveEnvironment(
            clock: clock, hub: hub, transcript: { ClaudeTranscript.end(for: $0) },
            startTime: { [processes = parts.processes] in processes.startTime(of: $0) })
        broker = Broker(
            policy: policy, environment: environment, persistence: store, evaluator: parts.evaluator,
            claudeRules: parts.claudeRules, executor: resources.loop)
        observation = ObservationParts(
            resources, options, parts, places: places, broker: broker, runs: runs, hub: hub, threads: eventThreads,
            subscribers: subscribers)
        // Weakly: the watcher passes its events to the hub, which has this listener.
        writes.tell { [weak watcher = observation.git.watcher] in watcher?.noteWrite(in: $0) }
        observation.files.look(for: folders)
        runSessions = RunSessionParts(
            resources, home: options.home, table: parts.processes, processes: runs, broker: broker, places: places,
            hub: hub, makeID: { [environment] in environment.makeID($0) })
        approvers = Approvers([subscribers, polls, notifier], broker: broker)
        devices = DeviceManager(
            register: register, store: store, broker: broker, connections: [subscribers, editors, chats],
            listeners: [notifier, runSessions.runner], source: source, clock: clock, log: log)
        let pairing = PairingManager(devices: devices, broker: broker, source: source, clock: clock, log: log) {
            reach.baseURL.description
        }
        hooks = HookKeeper(options.hooks, home: options.home, socket: options.socket, log: log)
        let socket = Locked(SocketState())
        let facts = DaemonFacts(
            broker: broker, store: store, clock: clock, startedAt: clock.now(), options: options, policy: policy,
            hooks: hooks, socket: socket, notifier: notifier, addresses: resources.listeners.main.addresses,
            reach: reach,
            certificates: resources.certificates, isInsecure: resources.configuration.isInsecure)
        let access = AccessChecks(register: register, broker: broker, refusals: RefusalLog(log: log, clock: clock))
        let dispatcher = Dispatcher(
            services: MethodServices(
                access: access,
                devices: devices, files: observation.files.service, git: observation.git.service,
                noteInterest: observation.git.watcher.noteInterest,
                history: HistorySearch(store: store), notices: notifier, pairing: pairing, permissions: broker,
                polls: polls,
                previews: PreviewReader(
                    broker: broker, evaluator: parts.evaluator, files: ChangedFile(),
                    workspaces: places, clock: clock),
                reports: reports.manager, runSessions: runSessions.runner, sessions: facts,
                transcripts: observation.transcripts.manager,
                viewers: observation.workspaces.viewers,
                workspaces: observation.workspaces.manager))
        let rates = DeviceRates(clock: clock)
        // Two, because a process inside an agent must not push out the lines about devices.
        let (bounded, deviceLog) = (BoundedLog(log, clock: clock), BoundedLog(log, clock: clock))
        let clients = ClientServices(
            subscribers: subscribers, approvers: approvers, devices: register, viewers: observation.workspaces.viewers,
            rpc: RPCServices(dispatcher: dispatcher, rates: rates, log: bounded, deviceLog: deviceLog),
            listeners: [observation.transcripts.manager, observation.files.listener, runSessions.runner])
        let editing = ACPServices.Parts(
            devices: register, permissions: broker, sessions: runSessions.runner, subscribers: editors,
            transcripts: observation.transcripts.manager, workspaces: observation.workspaces.manager,
            listener: runSessions.runner)
        let refusals = RefusalLog(log: log, clock: clock)
        let authenticator = Authenticator(
            resources, devices: register, processes: parts.processes, broker: broker, refusals: refusals)
        let routes = RouteParts(
            acp: ACPServices(access: access, parts: editing, rates: rates, log: log),
            bridge: resources.listeners.bridge == nil
                ? nil : .bridge(access: access, parts: editing, rates: rates, log: log),
            broker: broker, certificates: resources.certificates,
            claudiator: ClaudiatorServices(
                reports: reports.manager, devices: devices, rates: rates, clock: clock),
            clients: clients, clock: clock,
            devices: devices, links: notifications.links, log: log,
            openAI: OpenAIServices(
                runs: runSessions.runner, workspaces: observation.workspaces.manager, subscribers: chats,
                devices: register, rates: rates, clock: clock, log: log, sha256: Digest.sha256,
                base: { reach.baseURL.description },
                completions: resources.configuration.chatErrands == .answer ? runSessions.completions : nil),
            ownReports: reports.own, pairing: pairing, places: places, processes: parts.processes, refusals: refusals,
            runs: runs
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
        let served = resources.listeners.main.addresses.map { "\(scheme)://\($0)" }
        let bridge = resources.listeners.bridge?.addresses.map { "\(scheme == "https" ? "wss" : "ws")://\($0)" } ?? []
        return (["unix:\(options.socket)"] + served + bridge).joined(separator: ", ")
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
