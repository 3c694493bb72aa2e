import Platform
import Transport

/// The TCP ports of a daemon, taken and not served yet.
struct Listeners: Sendable {
    let main: TCPListeners
    /// That of the bridge for phones; `nil` unless the configuration has one.
    let bridge: TCPListeners?

    init(_ configuration: Configuration, _ log: ServerLog) throws(StartError) {
        let mayLeaveLoopback = configuration.tls != .off || configuration.isInsecure
        // Checked before a port is taken, and again after a name was resolved to addresses.
        if !mayLeaveLoopback, !Reach.isLoopback(configuration.host) { throw .openWithoutTLS(host: configuration.host) }
        try self.init(taking: configuration)
        guard !main.addresses.allSatisfy(\.isLoopback) else { return }
        guard mayLeaveLoopback else {
            close()
            throw .openWithoutTLS(host: configuration.host)
        }
        if configuration.tls == .off {
            log.warning("--insecure: everybody on the way to \(configuration.host) can read the tokens and the cards")
        }
    }

    /// Takes the ports.
    init(taking configuration: Configuration) throws(StartError) {
        do throws(ListenError) {
            main = try TCPListeners(host: configuration.host, port: configuration.port)
            do throws(ListenError) {
                bridge = try configuration.acpPort.map { port throws(ListenError) in
                    try TCPListeners(host: configuration.host, port: port)
                }
            } catch {
                main.close()
                throw error
            }
        } catch {
            throw .listen(error)
        }
    }

    func close() {
        main.close()
        bridge?.close()
    }
}
