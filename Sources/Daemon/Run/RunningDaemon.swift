import Core
import Glibc
import Loop
import Platform
package import Transport

/// A daemon that has started.
package final class RunningDaemon: Sendable {
    private let lifecycle: Lifecycle
    private let loop: EventLoop
    let log: ServerLog
    /// The addresses of the TCP listeners.
    package let addresses: [TCPAddress]
    package let socket: String

    /// The line that `cdev serve` prints once the daemon serves.
    package let readyLine: String

    private init(_ assembly: Assembly, _ lifecycle: Lifecycle) {
        self.lifecycle = lifecycle
        loop = assembly.resources.loop
        log = assembly.resources.log
        addresses = assembly.resources.listeners.main.addresses
        socket = assembly.options.socket
        readyLine = "cdev \(Version.text) ready: \(assembly.addresses), pid \(getpid())"
    }

    /// Starts a daemon. If a step fails, the steps before it are undone.
    package static func start(_ options: ServeOptions, _ parts: DaemonParts) async throws(StartError) -> RunningDaemon {
        let assembly = Assembly(try await Resources(options, parts), options, parts)
        let lifecycle = assembly.lifecycle
        try await lifecycle.begin()
        let daemon = RunningDaemon(assembly, lifecycle)
        daemon.log.info(daemon.readyLine)
        return daemon
    }

    /// Throws if `config.json` cannot be used or the port is taken. Makes and changes nothing.
    package static func check(_ options: ServeOptions) throws(StartError) {
        let configuration = try Resources.configuration(options).configuration
        try Listeners(taking: configuration).close()
    }

    /// Throws if `config.json` with this text would stop the start, as far as that is known without taking the port.
    /// - Returns: The warnings of a start, such as unknown keys.
    @discardableResult package static func check(
        configuration bytes: [UInt8], _ options: ServeOptions
    ) throws(StartError) -> [String] {
        let reader: ConfigurationReader
        let configuration: Configuration
        do throws(ConfigurationError) {
            reader = try ConfigurationReader(bytes: bytes, path: options.configurationPath)
            configuration = try options.applied(to: reader.configuration)
        } catch {
            throw .configuration(error)
        }
        if case .files(let certificate, let key) = configuration.tls {
            for path in [certificate, key] where access(path, R_OK) != 0 {
                throw .tls("\(path) cannot be read: \(SystemError.last)")
            }
        }
        _ = try configuration.apnsToken(path: options.configurationPath)
        guard configuration.tls != .off || options.isInsecure || Reach.isLoopback(configuration.host) else {
            throw .openWithoutTLS(host: configuration.host)
        }
        return reader.warnings
    }

    /// The signals that stop the daemon; from now on they no longer kill the process. SIGHUP is not among them, because
    /// a user who started the daemon with `nohup` wants it to go on.
    package var stopSignals: AsyncStream<Int32> {
        get async { await loop.signals([SIGINT, SIGTERM]) }
    }

    package func stop() async {
        log.info("stopping")
        await lifecycle.end()
        log.info("stopped")
    }
}
