import Dispatch
import Foundation
import OrderedJSON
import Wire

struct PeerError: Error {
    let what: String
    let code: Int32
}

/// The other end of a connection to the daemon. Its blocking calls run on a thread of their own.
// Guard: the descriptor never changes; the parsers are used on the queue only.
final class TestPeer: @unchecked Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "test peer")
    private var parser = HTTPResponseParser()
    private var decoder = WebSocketDecoder(role: .client)

    init(unix path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        descriptor = try Self.connected(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), &address)
    }

    init(port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        descriptor = try Self.connected(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), &address)
    }

    deinit {
        Foundation.close(descriptor)
    }

    private static func connected<Address>(_ descriptor: Int32, _ address: inout Address) throws -> Int32 {
        let size = socklen_t(MemoryLayout<Address>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else {
            let failure = PeerError(what: "connect", code: errno)
            // A test may try until it succeeds, and without a descriptor left libdispatch ends the process.
            Foundation.close(descriptor)
            throw failure
        }
        // A test that waits for what never comes fails instead of hanging.
        var timeout = timeval(tv_sec: 50, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// What arrives is empty at the end of the stream.
    private func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else { throw PeerError(what: "recv", code: errno) }
        return Array(buffer[..<count])
    }

    func send(_ bytes: [UInt8]) async throws {
        try await onQueue { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw PeerError(what: "send", code: errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// The next answer or interim answer; nil at the end of the stream.
    func answer() async throws -> HTTPResponseEvent? {
        try await onQueue { [self] in
            while true {
                if let event = parser.next() { return event }
                let bytes = try receive()
                guard !bytes.isEmpty else { return nil }
                parser.receive(bytes)
            }
        }
    }

    func response() async throws -> HTTPResponse {
        while let event = try await answer() {
            if case .response(let response) = event { return response }
        }
        throw PeerError(what: "the connection was closed without an answer", code: 0)
    }

    /// Leaves, as a killed relay does.
    func leave() async throws {
        try await onQueue { [self] in _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    // MARK: WebSocket

    /// - Returns: The answer to the handshake.
    func upgrade(host: String = "localhost", subprotocols: [String] = ["cdev"], headers: HTTPHeaders = [:]) async throws
        -> HTTPResponse
    {
        let key = [UInt8](repeating: 7, count: 16)
        let request = WebSocketHandshake.request(
            target: "/ws", host: host, key: key, subprotocols: subprotocols, headers: headers)
        try await send(request.serialized())
        let response = try await response()
        try await onQueue { [self] in decoder.receive(parser.takeRemaining()) }
        return response
    }

    func say(_ text: String) async throws { try await send(WebSocketFrame.text(text, mask: 0x1234_5678)) }

    /// The next frame, nil at the end of the stream.
    func frame() async throws -> WebSocketEvent? {
        try await onQueue { [self] in
            while true {
                if let event = decoder.next() { return event }
                let bytes = try receive()
                guard !bytes.isEmpty else { return nil }
                decoder.receive(bytes)
            }
        }
    }

    /// The next message that has `method`, or the answer with this id; what comes before is skipped.
    func message(_ method: String? = nil, id: Int? = nil) async throws -> JSON {
        while let frame = try await frame() {
            let json: JSON
            switch frame {
            case .text(let text): json = try JSON(parsing: text)
            case .binary(let bytes): json = try JSON(parsing: bytes)
            case .close(let code, let reason): throw PeerError(what: "closed: \(reason)", code: Int32(code ?? 0))
            default: continue
            }
            if let method, json["method"]?.stringValue == method { return json["params"] ?? [:] }
            if let id, json["id"]?.intValue == id { return json }
        }
        throw PeerError(what: "the connection ended", code: 0)
    }
}

func httpRequest(
    _ method: String, _ target: String, _ body: String = "", host: String = "localhost", headers: HTTPHeaders = [:]
) -> [UInt8] {
    var all: HTTPHeaders = ["Host": host]
    for (name, value) in headers { all.append(name, value) }
    return HTTPRequest(method: method, target: target, headers: all, body: Array(body.utf8)).serialized()
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSON? { try? JSON(parsing: body) }
}

extension TestPeer {
    /// The close frame, or nil where the stream ends without one.
    func lastFrame() async throws -> WebSocketEvent? {
        while let frame = try await frame() {
            if case .close = frame { return frame }
        }
        return nil
    }
}
