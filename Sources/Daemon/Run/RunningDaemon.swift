import Core
import Glibc
import Loop
import Platform
package import Transport

/// A daemon that serves.
package final class RunningDaemon: Sendable {
    private let lifecycle: Lifecycle
    private let loop: EventLoop
    let log: ServerLog
    /// Where HTTP is served.
    package let addresses: [TCPAddress]
    package let socket: String

    /// What `cdev serve` prints once it serves.
    package let readyLine: String

    private init(_ assembly: Assembly, _ lifecycle: Lifecycle) {
        self.lifecycle = lifecycle
        loop = assembly.resources.loop
        log = assembly.resources.log
        addresses = assembly.resources.listeners.addresses
        socket = assembly.options.socket
        readyLine = "cdev \(Version.text) ready: \(assembly.addresses), pid \(getpid())"
    }

    /// What fails is undone.
    package static func start(_ options: ServeOptions, _ parts: DaemonParts) async throws(StartError) -> RunningDaemon {
        let assembly = Assembly(try await Resources(options, parts), options, parts)
        let lifecycle = assembly.lifecycle
        try await lifecycle.begin()
        let daemon = RunningDaemon(assembly, lifecycle)
        daemon.log.info(daemon.readyLine)
        return daemon
    }

    /// Whether `config.json` can be read and the port is free; nothing is made or changed.
    package static func check(_ options: ServeOptions) throws(StartError) {
        let configuration = try Resources.configuration(options).configuration
        do throws(ListenError) {
            try TCPListeners(host: configuration.host, port: configuration.port).close()
        } catch {
            throw .listen(error)
        }
    }

    /// The signals that end the daemon; from here on the process gets them instead of being killed. Not SIGHUP: who
    /// started it with `nohup` wants it to live on.
    package var stopSignals: AsyncStream<Int32> {
        get async { await loop.signals([SIGINT, SIGTERM]) }
    }

    package func stop() async {
        log.info("stopping")
        await lifecycle.end()
        log.info("stopped")
    }
}
