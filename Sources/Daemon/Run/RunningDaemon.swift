import Core
import Dialects
import Glibc
import Loop
import Services
import Store
package import Transport

/// A running daemon: every part, and their order at start and stop.
package final class RunningDaemon: Sendable {
    private let home: HomeDirectory
    let loop: EventLoop
    private let server: Server
    private let gateway: Gateway
    private let broker: Broker
    private let store: Store
    private let environment: DaemonEnvironment
    private let devices: DeviceManager
    private let notifier: Notifier
    private let polls: EventPolls
    private let changed: ChangeSignal
    private let repeaters: [Repeater]
    let log: ServerLog
    /// Where HTTP is served.
    package let addresses: [TCPAddress]
    package let socket: String

    /// What `cdev serve` prints when its doors are open.
    package let readyLine: String

    private init(_ building: Building, addresses: [TCPAddress], repeaters: [Repeater]) {
        home = building.home
        loop = building.loop
        server = building.server
        gateway = building.gateway
        broker = building.broker
        store = building.store
        environment = building.environment
        devices = building.devices
        notifier = building.notifier
        polls = building.polls
        changed = building.changed
        log = building.log
        socket = building.options.socket
        self.addresses = addresses
        self.repeaters = repeaters
        readyLine = "cdev \(Version.text) ready: \(building.doors(addresses)), pid \(getpid())"
    }

    /// Opens the store, then the doors. What fails is undone.
    package static func start(_ options: ServeOptions, _ parts: DaemonParts) async throws(StartError) -> RunningDaemon {
        let building = try await Building(options, parts)
        do throws(StartError) {
            await building.broker.restore(building.devices.withoutRulesOfOthers(building.remembered))
            let addresses = try await building.openDoors()
            let daemon = RunningDaemon(building, addresses: addresses, repeaters: building.startRepeaters())
            building.log.info(daemon.readyLine)
            return daemon
        } catch {
            await building.undo()
            throw error
        }
    }

    /// Ends nothing that is held: relays look for the next daemon for a few seconds.
    package func stop() async {
        log.info("stopping")
        for repeater in repeaters { repeater.cancel() }
        await broker.beginShutdown()
        polls.end()
        await server.stop()
        gateway.close()
        notifier.stop()
        changed.finish()
        environment.stop()
        await broker.rememberSessions()
        await devices.writeRevocations()
        await environment.drain()
        do {
            try await store.close(nextSequence: await broker.nextSequence)
        } catch {
            log.error("the store was not closed cleanly: \(error)")
        }
        await loop.stop()
        home.release()
        log.info("stopped")
    }
}
