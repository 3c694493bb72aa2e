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

    /// The properties of a request that the form of its response depends on.
    fileprivate struct ResponseOptions {
        let keepAlive: Bool
        let headOnly: Bool
        let framing: HTTPStreamFraming
    }

    let channel: Channel
    private let endpoint: Peer.Endpoint
    private let connectionID: UInt64
    private let acceptedAt = SystemTime.sinceBoot
    private let server: Server
    private var parser: HTTPRequestParser
    private var current: Current?
    private var life: HTTPLifeCycle
    /// True until its peer has proven who it is; it then reads, and begins requests, in its turns only.
    private var isNewcomer: Bool
    private var hasTurn = false

    init(channel: Channel, endpoint: Peer.Endpoint, connectionID: UInt64, server: Server) {
        self.channel = channel
        self.endpoint = endpoint
        self.connectionID = connectionID
        self.server = server
        parser = HTTPRequestParser(limits: server.limits.http)
        life = HTTPLifeCycle(limits: server.limits, at: server.limits.now())
        isNewcomer = if case .tcp = endpoint { true } else { false }
    }

    /// Made for each use, because `isEncrypted` is unknown until the first byte has arrived.
    var peer: Peer {
        Peer(endpoint: endpoint, connectionID: connectionID, isEncrypted: channel.isEncrypted, acceptedAt: acceptedAt)
    }

    func start() {
        server.noteAwaiting(self)
        if isNewcomer {
            channel.wait { [weak self] in
                guard let self else { return }
                server.awaitTurn(self)
            }
        }
        channel.attach(self)
    }

    /// True while a request is being answered.
    var isAnswering: Bool { current != nil }

    /// Reads, and begins one request at most.
    func takeTurn() {
        hasTurn = true
        channel.readInTurn()
        if hasTurn { advance() }
        hasTurn = false
    }

    /// The peer has proven who it is.
    private func noteKnown() {
        guard isNewcomer else { return }
        isNewcomer = false
        server.noteKnown(self)
        channel.removeGate()
        // A request that waited for a turn waits for none any more.
        advance()
    }

    /// True while bytes of an answer wait for the peer.
    private var isSending: Bool { channel.queuedBytes > 0 }

    private func perform(_ actions: [HTTPLifeCycle.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: HTTPLifeCycle.Action) {
        switch action {
        case .advance: advance()
        case .awaitRequest: server.noteAwaiting(self)
        case .cancelRequest:
            current?.exchange.notePeerLeft()
            current?.task.cancel()
        case .close: channel.close()
        case .closeGracefully: channel.closeGracefully()
        case .endContent: current?.task.cancel()
        case .pauseReading: channel.pauseReading()
        case .refuseLateRequest:
            let time = server.limits.requestTime.components.seconds
            refuse(.requestTimeout, "the request was not whole after \(time) s")
        case .resumeReading: channel.resumeReading()
        }
    }

    // MARK: ChannelOwner

    func received(_ bytes: UnsafeRawBufferPointer) {
        parser.receive(bytes)
        perform(life.received(bytes.count, isSending: isSending))
    }

    func peerLeft() {
        perform(life.peerLeft())
    }

    func outputDrained() {
        perform(life.outputDrained())
    }

    func closed() {
        current?.exchange.settle(delivered: false)
        current?.task.cancel()
        current = nil
        life.ended()
        server.forget(self)
    }

    // MARK: Requests

    /// Handles the next request if it is complete and the last answer has been sent.
    private func advance() {
        guard channel.isOpen, life.mayAdvance(isSending: isSending) else { return }
        guard hasTurn || !isNewcomer else { return server.awaitTurn(self) }
        while let event = parser.next() {
            switch event {
            case .expectContinue: channel.write(HTTPInterim.proceed)
            case .request(let request): return begin(request)
            case .failure(let status, let message): return refuse(status, message)
            }
        }
        let now = server.limits.now()
        perform(life.needsMore(isMidRequest: parser.isMidRequest, inputEnded: channel.inputEnded, at: now))
    }

    private func begin(_ request: HTTPRequest) {
        hasTurn = false
        server.noteBusy(self)
        let exchange = Exchange(
            loop: channel.loop, known: { [weak self] in self?.noteKnown() },
            write: { [weak self] bytes in self?.writeInterim(bytes) })
        let isUpgrade = WebSocketHandshake.isUpgrade(request)
        let handover = Handover(request)
        let task = channel.loop.spawn {
            isUpgrade ? await self.upgrade(handover.take(), exchange) : await self.answer(handover.take(), exchange)
        }
        current = Current(task: task, exchange: exchange)
        perform(life.began())
    }

    /// `@inline(__always)`: with an async frame of its own, a held request would keep another kilobyte.
    @inline(__always)
    private func answer(_ request: consuming HTTPRequest, _ exchange: Exchange) async {
        let options = request.responseOptions
        let response = await server.handler.handle(consume request, from: peer, via: exchange)
        if let content = exchange.takeContent() { return await stream(options, exchange, response, content) }
        finish(options, exchange, response)
    }

    private func writeInterim(_ bytes: [UInt8]) {
        guard current != nil else { return }
        channel.write(bytes)
    }

    private func finish(_ options: ResponseOptions, _ exchange: Exchange, _ response: HTTPResponse) {
        guard channel.isOpen, current?.exchange === exchange else { return exchange.settle(delivered: false) }
        current = nil
        let keepAlive = life.answered(keepAlive: options.keepAlive, at: server.limits.now())
        let bytes = response.serialized(keepAlive: keepAlive, headOnly: options.headOnly)
        write(bytes, of: exchange, keepAlive: keepAlive)
    }

    /// Sends the last bytes of an answer.
    private func write(_ bytes: [UInt8], of exchange: Exchange, keepAlive: Bool) {
        write(bytes) { exchange.settle(delivered: $0) }
        // The write may have shown that the peer is gone; the channel is closed then.
        guard channel.isOpen else { return }
        perform(life.handedOver(keepAlive: keepAlive, isSending: isSending))
    }

    /// Sends the head, and what `content` writes. Out of line: only requests that are answered so need its frame.
    @inline(never)
    private func stream(
        _ options: ResponseOptions, _ exchange: Exchange, _ head: HTTPResponse, _ content: Exchange.Content
    ) async {
        let writer = ContentWriter(loop: channel.loop) { [self] bytes, outcome in
            guard current?.exchange === exchange else { return outcome(false) }
            write(options.framing.piece(bytes), outcome)
        }
        guard channel.isOpen, current?.exchange === exchange else {
            // What the content gives back at its end has to be given back.
            if !options.headOnly { await content(writer) }
            return exchange.settle(delivered: false)
        }
        let head = options.framing.head(of: head, keepAlive: options.keepAlive && !life.isStopping)
        if options.headOnly { return finish(options, exchange, with: head) }
        channel.write(head)
        perform(life.beganContent())
        await content(writer)
        guard channel.isOpen, current?.exchange === exchange else { return exchange.settle(delivered: false) }
        finish(options, exchange, with: options.framing.end)
    }

    private func finish(_ options: ResponseOptions, _ exchange: Exchange, with bytes: [UInt8]) {
        current = nil
        let keepAlive = life.answered(keepAlive: options.keepAlive, at: server.limits.now())
        write(bytes, of: exchange, keepAlive: keepAlive)
    }

    /// Nothing is handed to the channel where there is nothing to send: TLS takes an empty record for a failure.
    private func write(_ bytes: [UInt8], _ outcome: @escaping OutputQueue.Outcome) {
        bytes.isEmpty ? outcome(channel.isOpen) : channel.write(bytes, outcome: outcome)
    }

    private func refuse(_ status: HTTPStatus, _ message: String) {
        channel.write(HTTPResponse.error(status, message).serialized(keepAlive: false))
        channel.closeGracefully()
    }

    // MARK: WebSocket

    private func upgrade(_ request: HTTPRequest, _ exchange: Exchange) async {
        if case .refuse(let response) = handshake(request, subprotocol: nil) {
            return finish(request.responseOptions, exchange, response)
        }
        switch await server.handler.upgrade(request, from: peer) {
        case .refuse(let response): finish(request.responseOptions, exchange, response)
        case .accept(let subprotocol, let session):
            guard channel.isOpen, !life.isStopping, current?.exchange === exchange,
                case .accept(let response, _) = handshake(request, subprotocol: subprotocol)
            else { return closeUnanswered() }
            noteKnown()
            current = nil
            life.ended()
            // The parser must not keep the client's frames: a write that fails makes it parse the rest as a request.
            let remaining = parser.takeRemaining()
            channel.write(response.serialized(keepAlive: true))
            guard channel.isOpen else { return }
            server.becomeWebSocket(self, session: session, remaining: remaining)
        }
    }

    private func handshake(_ request: HTTPRequest, subprotocol: String?) -> WebSocketHandshake.Reply {
        WebSocketHandshake.reply(to: request, choose: { _ in subprotocol }, sha1: Digest.sha1)
    }

    // MARK: Times and stop

    func sweep(_ now: ContinuousClock.Instant) {
        channel.sweep(now)
        guard channel.isOpen else { return }
        perform(life.sweep(now, isSending: isSending))
    }

    /// Lets an answer in progress finish; leaves a held request unanswered.
    func stop() {
        perform(life.stop(isHeld: current?.exchange.isHeld ?? false, isSending: isSending))
    }

    func closeUnanswered() {
        channel.close()
    }
}

extension HTTPRequest {
    fileprivate var responseOptions: HTTPConnection.ResponseOptions {
        HTTPConnection.ResponseOptions(
            keepAlive: keepAlive, headOnly: method == "HEAD", framing: HTTPStreamFraming(for: version))
    }
}
