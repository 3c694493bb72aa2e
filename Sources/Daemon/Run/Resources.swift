import Agents
import Core
import Host
import Loop
import Notify
import Platform
import Services
import Store
import Transport

/// The resources that a start acquires: the steps that can fail, in order. If a step fails, those before it are undone.
struct Resources: Sendable {
    let home: HomeDirectory
    let configuration: Configuration
    /// `nil` if the configuration has no key for Apple's push service.
    let apnsToken: APNsToken?
    let loop: EventLoop
    let clock: any TimeSource
    let log: ServerLog
    let listeners: Listeners
    let reach: Reach
    /// Nil without TLS.
    let certificates: Certificates?
    let store: Store
    /// Sent when the state of the store changes.
    let storeChanged = ChangeSignal()
    /// The state that the store had.
    let remembered: Remembered
    let devices: [Device]
    let notices: KeptNotices
    let workspaces: KeptWorkspaces
    let runSessions: [RunSession]

    init(_ options: ServeOptions, _ parts: DaemonParts) async throws(StartError) {
        home = try Self.takeHome(options.home)
        let (configuration, warnings) = try Self.configuration(options)
        self.configuration = configuration
        apnsToken = try configuration.apnsToken(path: options.configurationPath)
        let loop = try Self.makeLoop()
        self.loop = loop
        let clock = parts.clock ?? SystemClock(loop: loop)
        self.clock = clock
        log = ServerLog(
            path: options.logPath, level: options.logLevel, time: { clock.now().wall.rfc3339 }, echoes: parts.echoesLog)
        for warning in warnings { log.warning(warning) }
        do throws(StartError) {
            listeners = try Listeners(configuration, log)
            do throws(StartError) {
                let reach = Reach(configuration, listeners)
                self.reach = reach
                certificates = try Self.certificates(
                    configuration, reach, home: options.home, at: clock.now().wall, log)
                (store, remembered) = try await Self.open(options, parts, storeChanged)
            } catch {
                listeners.close()
                throw error
            }
        } catch {
            await loop.stop()
            throw error
        }
        devices = await Self.devices(of: store, log)
        notices = await KeptNotices(
            of: store, grants: configuration.notify.linkGrants, requests: remembered.requests, at: clock.now().wall,
            log: log)
        workspaces = await Self.workspaces(of: store, log)
        runSessions = await Self.runSessions(of: store, log)
    }

    static func configuration(
        _ options: ServeOptions
    ) throws(StartError) -> (configuration: Configuration, warnings: [String]) {
        do throws(ConfigurationError) {
            let reader = try ConfigurationReader(path: options.configurationPath)
            return (try options.applied(to: reader.configuration), reader.warnings)
        } catch {
            throw .configuration(error)
        }
    }

    private static func takeHome(_ path: String) throws(StartError) -> HomeDirectory {
        do throws(HomeError) { return try HomeDirectory(path: path) } catch { throw .home(error) }
    }

    private static func certificates(
        _ configuration: Configuration, _ reach: Reach, home: String, at now: Timestamp, _ log: ServerLog
    ) throws(StartError) -> Certificates? {
        do {
            return try Certificates(configuration, names: { reach.certificateNames }, home: home, at: now, log: log)
        } catch {
            throw .tls("\(error)")
        }
    }

    private static func makeLoop() throws(StartError) -> EventLoop {
        do throws(SystemError) { return try EventLoop() } catch {
            throw .system("starting the event loop", code: error.code)
        }
    }

    private static func open(
        _ options: ServeOptions, _ parts: DaemonParts, _ changed: ChangeSignal
    ) async throws(StartError) -> (Store, Remembered) {
        var storeOptions = parts.storeOptions
        storeOptions.statusChanged = { changed.send() }
        storeOptions.boot = parts.processes.boot
        do throws(StoreError) {
            return try await Store.open(options.databasePath, tools: ClaudeTools(), options: storeOptions)
        } catch {
            throw .store(error)
        }
    }

    /// The workspaces in the database; none if they cannot be read: sessions then make some anew.
    private static func workspaces(of store: Store, _ log: ServerLog) async -> KeptWorkspaces {
        do throws(StoreError) {
            let rows = try await store.workspaces()
            return KeptWorkspaces(workspaces: rows.kept, removals: rows.removed)
        } catch {
            log.error("workspaces could not be read: \(error)")
            return KeptWorkspaces()
        }
    }

    /// The run sessions in the database; none if they cannot be read: their children are then ended.
    private static func runSessions(of store: Store, _ log: ServerLog) async -> [RunSession] {
        do throws(StoreError) { return try await store.runSessions() } catch {
            log.error("run sessions could not be read: \(error)")
            return []
        }
    }

    /// The devices in the database; none if they cannot be read: the daemon then runs without devices.
    private static func devices(of store: Store, _ log: ServerLog) async -> [Device] {
        do throws(StoreError) {
            let begin = try await store.termsBegin()
            return try await store.devices().map { $0.withTerm(notBefore: begin) }
        } catch {
            log.error("devices could not be read, so none can connect: \(error)")
            return []
        }
    }
}

extension Reach {
    fileprivate init(_ configuration: Configuration, _ listeners: Listeners) {
        self.init(
            addresses: listeners.main.addresses, host: configuration.host,
            otherPorts: Set(listeners.bridge?.addresses.map(\.port) ?? []), isEncrypted: configuration.tls != .off,
            publicURL: configuration.publicURL, origins: configuration.allowedOrigins)
    }
}
