import Glibc

/// A connected socket that blocks; closed with this value.
final class StreamSocket {
    let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    static func unix(_ path: String) throws -> StreamSocket {
        let socket = StreamSocket(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        guard try socket.connect(unix: path) == 0 else { throw BenchError.system("connecting to \(path)") }
        return socket
    }

    private func connect(unix path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw BenchError("\(path) is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    static func loopback(_ port: UInt16) throws -> StreamSocket {
        let socket = StreamSocket(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw BenchError.system("connecting to port \(port)") }
        var on: Int32 = 1
        setsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        return socket
    }

    func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchError.system("sending") }
            done += count
        }
    }

    /// Appends what is there, or what comes next; false at the end.
    func receive(into bytes: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 16) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return false }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        }
    }

    /// Whether something can be read now, or within the time.
    func hasInput(within milliseconds: Int32 = 0) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}

extension StreamSocket {
    /// Both ends of a connection; neither is inherited unless it is handed over.
    static func pair() throws -> (StreamSocket, StreamSocket) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw BenchError.system("socketpair")
        }
        return (StreamSocket(ends[0]), StreamSocket(ends[1]))
    }

    /// Listens on a free port of the loopback address.
    static func listen() throws -> (StreamSocket, UInt16) {
        let socket = StreamSocket(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(socket.descriptor, address, length) == 0 else { return Int32(-1) }
                return getsockname(socket.descriptor, address, &length)
            }
        }
        guard result == 0, Glibc.listen(socket.descriptor, 128) == 0 else { throw BenchError.system("listening") }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    static func accept(from listener: Int32) throws -> StreamSocket {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { throw BenchError.system("accept") }
        return StreamSocket(descriptor)
    }
}
