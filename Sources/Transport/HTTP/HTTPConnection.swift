import CPlatform
import Crypto
import Platform
import Wire

/// Speaks HTTP/1.1 over one channel: one request at a time, in order.
final class HTTPConnection: Connection, @unchecked Sendable {  // guard: used on its loop's thread only
    /// The request that is being handled.
    private struct Current {
        let task: Task<Void, Never>
        let exchange: Exchange
    }

    /// How a request is to be answered.
    fileprivate struct Manner {
        let keepAlive: Bool
        let headOnly: Bool
    }

    let channel: Channel
    private let endpoint: Peer.Endpoint
    private let connectionID: UInt64
    private let acceptedAt = SystemTime.sinceBoot
    private let server: Server
    private var parser: HTTPRequestParser
    private var current: Current?
    private var peerHasLeft = false
    private var isStopping = false
    /// Bytes received since the connection became busy.
    private var readAhead = 0
    /// When the next request must be whole, or have begun; nil while one is being handled.
    private var deadline: ContinuousClock.Instant?
    private var isMidRequest = false

    init(channel: Channel, endpoint: Peer.Endpoint, connectionID: UInt64, server: Server) {
        self.channel = channel
        self.endpoint = endpoint
        self.connectionID = connectionID
        self.server = server
        parser = HTTPRequestParser(limits: server.limits.http)
        deadline = server.limits.now() + server.limits.requestTime
    }

    /// Whether it is encrypted shows with the first byte.
    var peer: Peer {
        Peer(endpoint: endpoint, connectionID: connectionID, isEncrypted: channel.isEncrypted, acceptedAt: acceptedAt)
    }

    func start() {
        server.noteAwaiting(self)
        channel.attach(self)
    }

    /// Whether the next request has to wait.
    private var isBusy: Bool { current != nil || channel.queuedBytes > 0 }

    // MARK: ChannelOwner

    func received(_ bytes: UnsafeRawBufferPointer) {
        parser.receive(bytes)
        guard isBusy else { return advance() }
        readAhead += bytes.count
        if readAhead >= server.limits.readAheadBytes { channel.pauseReading() }
    }

    func peerLeft() {
        peerHasLeft = true
        current?.exchange.notePeerLeft()
        current?.task.cancel()
        advance()
    }

    func outputDrained() {
        guard current == nil else { return }
        channel.resumeReading()
        advance()
    }

    func closed() {
        current?.exchange.settle(delivered: false)
        current?.task.cancel()
        current = nil
        server.forget(self)
    }

    // MARK: Requests

    /// Handles the next request, if there is one and the last answer is out of the way.
    private func advance() {
        guard !isBusy, channel.isOpen else { return }
        readAhead = 0
        while let event = parser.next() {
            switch event {
            case .expectContinue: channel.write(HTTPInterim.proceed)
            case .request(let request): return begin(request)
            case .failure(let status, let message): return refuse(status, message)
            }
        }
        if channel.inputEnded { return channel.closeGracefully() }
        noteProgress()
    }

    private func noteProgress() {
        guard !isMidRequest, parser.isMidRequest else { return }
        isMidRequest = true
        deadline = server.limits.now() + server.limits.requestTime
    }

    private func begin(_ request: HTTPRequest) {
        deadline = nil
        isMidRequest = false
        server.noteBusy(self)
        let exchange = Exchange(loop: channel.loop) { [weak self] bytes in self?.writeInterim(bytes) }
        let isUpgrade = WebSocketHandshake.isUpgrade(request)
        let handover = Handover(request)
        let task = channel.loop.spawn {
            isUpgrade ? await self.upgrade(handover.take(), exchange) : await self.answer(handover.take(), exchange)
        }
        current = Current(task: task, exchange: exchange)
        guard peerHasLeft else { return }
        exchange.notePeerLeft()
        task.cancel()
    }

    /// Inlined: with a frame of its own a held call needs another kilobyte of stack for its task.
    @inline(__always)
    private func answer(_ request: consuming HTTPRequest, _ exchange: Exchange) async {
        let manner = request.manner
        finish(manner, exchange, await server.handler.handle(consume request, from: peer, via: exchange))
    }

    private func writeInterim(_ bytes: [UInt8]) {
        guard current != nil else { return }
        channel.write(bytes)
    }

    private func finish(_ manner: Manner, _ exchange: Exchange, _ response: HTTPResponse) {
        guard channel.isOpen, current?.exchange === exchange else { return exchange.settle(delivered: false) }
        current = nil
        let keepAlive = manner.keepAlive && !isStopping
        let bytes = response.serialized(keepAlive: keepAlive, headOnly: manner.headOnly)
        deadline = server.limits.now() + server.limits.idleTime
        channel.write(bytes) { exchange.settle(delivered: $0) }
        guard keepAlive else { return channel.closeGracefully() }
        // The write may have found out that nobody is there, and closed.
        guard channel.isOpen else { return }
        server.noteAwaiting(self)
        guard !isBusy else { return }
        channel.resumeReading()
        advance()
    }

    private func refuse(_ status: HTTPStatus, _ message: String) {
        channel.write(HTTPResponse.error(status, message).serialized(keepAlive: false))
        channel.closeGracefully()
    }

    // MARK: WebSocket

    private func upgrade(_ request: HTTPRequest, _ exchange: Exchange) async {
        if case .refuse(let response) = handshake(request, subprotocol: nil) {
            return finish(request.manner, exchange, response)
        }
        switch await server.handler.upgrade(request, from: peer) {
        case .refuse(let response): finish(request.manner, exchange, response)
        case .accept(let subprotocol, let session):
            guard channel.isOpen, !isStopping, current?.exchange === exchange,
                case .accept(let response, _) = handshake(request, subprotocol: subprotocol)
            else { return closeUnanswered() }
            current = nil
            channel.write(response.serialized(keepAlive: true))
            server.becomeWebSocket(self, session: session, remaining: parser.takeRemaining())
        }
    }

    private func handshake(_ request: HTTPRequest, subprotocol: String?) -> WebSocketHandshake.Reply {
        WebSocketHandshake.reply(to: request, choose: { _ in subprotocol }, sha1: Digest.sha1)
    }

    // MARK: Times and stop

    func sweep(_ now: ContinuousClock.Instant) {
        channel.sweep(now)
        guard channel.isOpen, let deadline, now >= deadline, channel.queuedBytes == 0 else { return }
        guard isMidRequest else { return channel.closeGracefully() }
        let time = server.limits.requestTime
        refuse(.requestTimeout, "the request was not whole after \(time.components.seconds) s")
    }

    /// Lets a call that is being answered finish; leaves held ones unanswered.
    func stop() {
        isStopping = true
        if let current {
            if current.exchange.isHeld { closeUnanswered() }
        } else if channel.queuedBytes > 0 {
            channel.closeGracefully()
        } else {
            channel.close()
        }
    }

    func closeUnanswered() {
        channel.close()
    }
}

extension HTTPRequest {
    fileprivate var manner: HTTPConnection.Manner {
        HTTPConnection.Manner(keepAlive: keepAlive, headOnly: method == "HEAD")
    }
}
