import CPlatform
package import Loop
import Wire

/// Serves HTTP/1.1 and WebSocket at any number of listeners, on one loop.
///
/// Call `stop` before the loop's.
package final class Server: @unchecked Sendable {  // guard: everything mutable is used on the loop's thread only
    let loop: EventLoop
    let limits: ServerLimits
    let handler: any HTTPHandler
    private let capacity: Int
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var listeners: [OpenListener] = []
    private var connections: [UInt64: any Connection] = [:]
    /// The connections over the Unix socket whose peer may already have written its next request.
    private var awaiting: [UInt64: HTTPConnection] = [:]
    private var connectionCount: UInt64 = 0
    private var newcomers: Newcomers
    /// Newcomers have turns in the loop's next turn.
    private var isTurnSet = false
    private var sweepTimer: LoopTimer?
    private var tls: TLSContext?
    private var isStopping = false
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    private var unixSocket: UnixSocketFile?
    private var isRestoring = false

    private struct OpenListener {
        let listener: Listener
        let close: () -> Void
    }

    package init(loop: EventLoop, limits: ServerLimits = ServerLimits(), handler: any HTTPHandler) {
        self.loop = loop
        self.limits = limits
        self.handler = handler
        newcomers = Newcomers(limits: limits)
        capacity = limits.connections ?? FileLimit.connections()
    }

    deinit {
        scratch.deallocate()
    }

    // MARK: Listeners

    /// Listens on a Unix socket with mode 0600. Creates its directory (0700) if it is missing; the directory must
    /// belong to this user, and nobody else may write to it. Replaces a socket that no process serves any more.
    package func listen(unix path: String) async throws(ListenError) {
        let file = try UnixSocketFile.open(path: path)
        await loop.run { self.open(file) }
    }

    /// Creates the Unix socket's file and its lock again if they were deleted, or replaced by a file that may be
    /// replaced. Open connections stay. Does nothing before `listen(unix:)` or while another call runs.
    /// - Returns: True if a file was created.
    package func restoreUnixSocket() async throws(ListenError) -> Bool {
        guard let file = await loop.run({ self.beginRestoring() }) else { return false }
        let restored = Result { () throws(ListenError) in file.isInPlace ? nil : try file.restored() }
        await loop.run { self.endRestoring(file, try? restored.get()) }
        return try restored.get() != nil
    }

    /// The paths of the files that `restoreUnixSocket` makes anew.
    package static func files(ofUnixSocket path: String) -> [String] { [path, UnixSocketFile.lockPath(of: path)] }

    private func beginRestoring() -> UnixSocketFile? {
        guard !isRestoring, !isStopping, let unixSocket else { return nil }
        isRestoring = true
        return unixSocket
    }

    private func endRestoring(_ file: UnixSocketFile, _ restored: UnixSocketFile?) {
        isRestoring = false
        guard let restored else { return isStopping ? file.remove() : () }
        guard !isStopping else {
            file.close(insteadOf: restored)
            return restored.remove()
        }
        if restored.descriptor == file.descriptor {
            unixSocket = restored
        } else if let index = listeners.firstIndex(where: { $0.listener.kind == .unix }) {
            let listener = listeners.remove(at: index).listener
            // Clients that have connected to the old socket are served.
            listener.accept(atMost: .max)
            listener.close()
            open(restored)
        }
        file.close(insteadOf: restored)
    }

    private func open(_ file: UnixSocketFile) {
        unixSocket = file
        open(.unix, file.descriptor) { self.closeUnixSocket() }
    }

    /// Closes the Unix socket and removes its file. While the file is being restored, `endRestoring` does that instead:
    /// another file must not get the number of a descriptor in use.
    private func closeUnixSocket() {
        if !isRestoring { unixSocket?.remove() }
        unixSocket = nil
    }

    /// Accepts connections on these sockets. The server closes them when it stops.
    package func serve(_ listeners: TCPListeners) async {
        await loop.run {
            for socket in listeners.sockets {
                self.open(.tcp, socket.descriptor) { cplatform_close(socket.descriptor) }
            }
        }
    }

    /// Serves TLS with this certificate on new TCP connections whose first byte begins a TLS handshake. All others are
    /// served without encryption, and open connections stay as they are.
    package func serve(tls context: TLSContext) async {
        await loop.run { self.tls = context }
    }

    private func open(_ kind: Listener.Kind, _ descriptor: Int32, close: @escaping () -> Void) {
        guard !isStopping else { return close() }
        let listener = Listener(
            loop: loop, kind: kind, descriptor: descriptor, atOnce: limits.acceptsAtOnce,
            hasRoom: { self.hasRoom(kind) }, accepted: { self.accept(kind, $0) }, exhausted: { self.startSweeping() })
        listeners.append(OpenListener(listener: listener, close: close))
    }

    // MARK: Connections

    /// The number of open connections.
    package var connectionsOpen: Int {
        get async { await loop.run { self.connections.count } }
    }

    private func hasRoom(_ kind: Listener.Kind) -> Bool {
        connections.count < (kind == .unix ? capacity : max(capacity * 3 / 4, 1))
    }

    private func accept(_ kind: Listener.Kind, _ descriptor: Int32) {
        if kind == .unix { readEarlierRequests() }
        let endpoint = kind == .unix ? Peer.Endpoint.ofUnixSocket(descriptor) : .ofTCPSocket(descriptor)
        guard let endpoint, makeRoom(for: endpoint) else { return cplatform_close(descriptor) }
        connectionCount += 1
        let channel = Channel(
            loop: loop, descriptor: descriptor, scratch: scratch, limits: limits, tls: kind == .tcp ? tls : nil)
        let connection = HTTPConnection(
            channel: channel, endpoint: endpoint, connectionID: connectionCount, server: self)
        connections[connectionCount] = connection
        if case .tcp(let address, _) = endpoint { newcomers.add(connectionCount, from: address) }
        connection.start()
        if kind == .unix { channel.readAvailable() }
        startSweeping()
    }

    /// Reads the requests that were written on older connections: a client may write a request, connect again, and rely
    /// on the first request being handled first.
    private func readEarlierRequests() {
        for id in awaiting.keys.sorted() { awaiting[id]?.channel.readAvailable() }
    }

    func noteAwaiting(_ connection: HTTPConnection) {
        if connection.peer.isUnix { awaiting[connection.peer.connectionID] = connection }
    }

    func noteBusy(_ connection: any Connection) {
        awaiting[connection.peer.connectionID] = nil
    }

    func becomeWebSocket(_ connection: HTTPConnection, session: any WebSocketSession, remaining: [UInt8]) {
        let socket = WebSocketConnection(
            channel: connection.channel, peer: connection.peer, server: self, session: session)
        connections[connection.peer.connectionID] = socket
        socket.start(remaining: remaining)
    }

    func forget(_ connection: any Connection) {
        connections[connection.peer.connectionID] = nil
        newcomers.remove(connection.peer.connectionID)
        noteBusy(connection)
        for open in listeners { open.listener.resume() }
        if connections.isEmpty { finishStop() }
    }

    // MARK: Newcomers

    /// Closes the oldest connection of an unknown peer that is at nothing, if there are too many. Returns false if each is
    /// at something.
    private func makeRoom(for endpoint: Peer.Endpoint) -> Bool {
        guard case .tcp(let address, _) = endpoint, let crowd = newcomers.crowd(at: address) else { return true }
        let idle = crowd.lazy.compactMap { self.connections[$0] as? HTTPConnection }.first(where: isIdle)
        idle?.channel.close()
        return idle != nil
    }

    private func isIdle(_ connection: HTTPConnection) -> Bool {
        !connection.isAnswering && !newcomers.isWaiting(connection.peer.connectionID)
    }

    /// Gives the connection a turn, in one of the next turns of the loop.
    func awaitTurn(_ connection: HTTPConnection) {
        newcomers.wait(connection.peer.connectionID)
        setTurn()
    }

    private func setTurn() {
        guard !isTurnSet, newcomers.isAnyWaiting else { return }
        isTurnSet = true
        loop.schedule(after: .zero) {
            self.isTurnSet = false
            for id in self.newcomers.take(self.limits.newcomerTurns) {
                (self.connections[id] as? HTTPConnection)?.takeTurn()
            }
            self.setTurn()
        }
    }

    func noteKnown(_ connection: HTTPConnection) { newcomers.remove(connection.peer.connectionID) }

    // MARK: Times

    /// Starts the timer of the next sweep. It runs only while there are connections or paused listeners, so that an
    /// idle daemon does not wake the machine.
    private func startSweeping() {
        guard sweepTimer == nil else { return }
        sweepTimer = loop.schedule(after: limits.sweepInterval) { self.sweep() }
    }

    private func sweep() {
        sweepTimer = nil
        let now = limits.now()
        for connection in connections.values { connection.sweep(now) }
        for open in listeners { open.listener.resume() }
        if !connections.isEmpty || listeners.contains(where: \.listener.isPaused) { startSweeping() }
    }

    // MARK: Stop

    /// Closes the listeners, removes the Unix socket's file if it is still this server's, closes WebSockets with 1001,
    /// leaves held requests (see `Exchange.sendInterim`) unanswered, and gives other requests the time `grace` to
    /// finish. Returns when all connections are closed. A second call waits for the same end.
    package func stop(grace: Duration = .seconds(1)) async {
        let timer = await loop.run {
            self.beginStop()
            return self.loop.schedule(after: grace) { self.closeAll() }
        }
        await withCheckedContinuation { continuation in
            loop.executeNow { self.waitForStop(continuation) }
        }
        timer.cancel()
    }

    private func beginStop() {
        guard !isStopping else { return }
        isStopping = true
        for open in listeners {
            open.listener.close()
            open.close()
        }
        listeners = []
        for connection in connections.values { connection.stop() }
    }

    private func closeAll() {
        for connection in connections.values { connection.channel.close() }
    }

    private func waitForStop(_ continuation: CheckedContinuation<Void, Never>) {
        stopWaiters.append(continuation)
        if connections.isEmpty { finishStop() }
    }

    private func finishStop() {
        guard isStopping else { return }
        sweepTimer?.cancel()
        sweepTimer = nil
        let waiters = stopWaiters
        stopWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}
