import CPlatform
import Platform

/// Listening sockets for one host name, which may stand for an IPv4 and an IPv6 address. Connections wait in the
/// kernel's queue until `Server.serve` gets the sockets.
package struct TCPListeners: Sendable {
    let sockets: [TCPSockets.Bound]

    /// Listens on every address of `host` (`localhost` has two) with the same port; port 0 takes a free one.
    package init(host: String, port: UInt16) throws(ListenError) {
        sockets = try TCPSockets.open(host: host, port: port)
    }

    package var addresses: [TCPAddress] { sockets.map(\.address) }

    /// Closes the sockets. Only for sockets that no server was given: a server closes its own.
    package func close() {
        for socket in sockets { cplatform_close(socket.descriptor) }
    }
}

enum TCPSockets {
    struct Bound: Sendable {
        let descriptor: Int32
        let address: TCPAddress
    }

    /// Listens on every address of `host`, all with the same port. Port 0 takes a free one.
    static func open(host: String, port: UInt16) throws(ListenError) -> [Bound] {
        var wanted = try addresses(of: host, port: port)
        // A port that is free for one address may be taken for the other; then another port is tried.
        for _ in 0..<8 {
            do throws(ListenError) {
                return try bindAll(&wanted, host: host, port: port)
            } catch {
                guard port == 0, case .addressInUse = error else { throw error }
            }
        }
        throw .addressInUse(host: host, port: port)
    }

    static func addresses(of host: String, port: UInt16) throws(ListenError) -> [cplatform_address] {
        var found = [cplatform_address](repeating: cplatform_address(), count: 8)
        let count = cplatform_resolve(host, port, &found, 8)
        if count == -ENOENT || count == 0 { throw .unknownHost(host) }
        return try step("resolving \(host)") { () throws(SystemError) in
            var seen: Set<String> = []
            return found.prefix(Int(try checked(count))).filter { seen.insert(numeric($0).0).inserted }
        }
    }

    private static func bindAll(
        _ wanted: inout [cplatform_address], host: String, port: UInt16
    ) throws(ListenError) -> [Bound] {
        var bound: [Bound] = []
        var missing: ListenError?
        do throws(ListenError) {
            for index in wanted.indices {
                cplatform_set_port(&wanted[index], bound.first?.address.port ?? port)
                do throws(ListenError) {
                    bound.append(try bind(wanted[index], host: host, port: port))
                } catch .system(let what, let error) where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.code) {
                    // IPv6 may be switched off; one address is enough.
                    missing = .system(what: what, error)
                }
            }
        } catch {
            for socket in bound { cplatform_close(socket.descriptor) }
            throw error
        }
        if bound.isEmpty, let missing { throw missing }
        return bound
    }

    private static func bind(_ address: cplatform_address, host: String, port: UInt16) throws(ListenError) -> Bound {
        let result = withUnsafePointer(to: address) { cplatform_listen_tcp($0, listenBacklog) }
        if result == -EADDRINUSE { throw .addressInUse(host: host, port: port) }
        let (text, isLoopback) = numeric(address)
        let descriptor = try step("listening on \(text) port \(port)") { () throws(SystemError) in
            try checked(result)
        }
        let actualPort = UInt16(clamping: cplatform_local_port(descriptor))
        return Bound(descriptor: descriptor, address: TCPAddress(host: text, port: actualPort, isLoopback: isLoopback))
    }

    /// Returns the address as text, and true if it is a loopback address.
    static func numeric(_ address: cplatform_address) -> (String, Bool) {
        var text = [CChar](repeating: 0, count: 64)
        var isLoopback: Int32 = 0
        let code = withUnsafePointer(to: address) { cplatform_address_text($0, &text, text.count, &isLoopback) }
        guard code == 0 else { return ("", false) }
        return (text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }, isLoopback != 0)
    }
}
