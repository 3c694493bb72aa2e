import Crypto
import Dispatch
import Foundation
import Wire

struct ClientError: Error {
    let what: String
    let code: Int32
}

/// A blocking socket whose calls run on a thread of its own, so that no test waits for another.
final class TestClient: @unchecked Sendable {  // guard: used on its queue only
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "test client")
    private var parser = HTTPResponseParser()
    private var isOpen = true
    private var tls: TestTLS?

    init(unix path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try connect(&address)
    }

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address)
    }

    private init(duplicating other: TestClient) {
        descriptor = dup(other.descriptor)
    }

    /// Sends until the other side has taken nothing for a while; false if it took everything.
    func isHeldBack(sending bytes: [UInt8]) async throws -> Bool {
        try await onQueue { [self] in
            var timeout = timeval(tv_sec: 0, tv_usec: 200_000)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        do { try await send(bytes) } catch let error as ClientError where error.code == EAGAIN { return true }
        return false
    }

    /// The same connection with a thread of its own: one side sends while the other receives.
    func duplicate() -> TestClient {
        TestClient(duplicating: self)
    }

    deinit {
        if isOpen { Foundation.close(descriptor) }
    }

    private func connect<Address>(_ address: inout Address) throws {
        let size = socklen_t(MemoryLayout<Address>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, size) }
        }
        guard result == 0 else {
            isOpen = false
            let code = errno
            Foundation.close(descriptor)
            throw ClientError(what: "connect", code: code)
        }
        // A test that waits for what never comes fails instead of hanging.
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await onQueue { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    tls?.write($0) ?? Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw ClientError(what: "send", code: errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Speaks TLS from here on.
    func startTLS(trusting authority: CertificateAuthority, _ options: TestTLS.Options = .init()) async throws {
        try await onQueue { [self] in tls = try TestTLS(descriptor, authority, options) }
    }

    /// Something else with the session.
    func withTLS<Result: Sendable>(_ body: @escaping @Sendable (TestTLS) throws -> Result) async throws -> Result {
        try await onQueue { [self] in
            guard let tls else { throw ClientError(what: "no TLS here", code: 0) }
            return try body(tls)
        }
    }

    /// The next bytes, empty at the end of the stream.
    func receive() async throws -> [UInt8] {
        try await onQueue { [self] in
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = tls?.read(&buffer) ?? recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw ClientError(what: "recv", code: errno) }
            return Array(buffer[..<count])
        }
    }

    /// Everything to the end of the stream. A reset counts as the end.
    func receiveAll() async throws -> [UInt8] {
        var all: [UInt8] = []
        do {
            while case let more = try await receive(), !more.isEmpty { all += more }
        } catch let error as ClientError where error.code == ECONNRESET {}
        return all
    }

    /// The next answer or interim answer.
    func event() async throws -> HTTPResponseEvent {
        while true {
            if let event = try await onQueue({ [self] in parser.next() }) { return event }
            let bytes = try await receive()
            guard !bytes.isEmpty else { return .failure("end of stream") }
            try await onQueue { [self] in parser.receive(bytes) }
        }
    }

    func response() async throws -> HTTPResponse {
        guard case .response(let response) = try await event() else { throw ClientError(what: "no response", code: 0) }
        return response
    }

    func takeRemaining() async throws -> [UInt8] {
        try await onQueue { [self] in parser.takeRemaining() }
    }

    func shutdownWriting() async throws {
        try await onQueue { [self] in _ = shutdown(descriptor, Int32(SHUT_WR)) }
    }

    func close() async throws {
        try await onQueue { [self] in
            isOpen = false
            Foundation.close(descriptor)
        }
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A request as text; Content-Length goes with the body.
func request(_ method: String, _ path: String, body: String = "", headers: String = "") -> String {
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    return "\(method) \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\(length)\r\n\(body)"
}
