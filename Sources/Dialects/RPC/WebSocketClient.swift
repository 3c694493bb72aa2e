package import Core
import Platform
package import Services
package import Wire

/// One of our own clients on a WebSocket: it calls methods, and is sent events.
package final class WebSocketClient: Sendable {
    package let caller: Caller
    package let number: UInt64
    package let id = RandomText.base32(bits: 128)
    private let services: ClientServices
    private let connection: RPCConnection
    private let workspaces = WorkspaceSubscriptions()
    private let isWillingToDecide = Locked(true)

    init(caller: Caller, number: UInt64, services: ClientServices) {
        self.caller = caller
        self.number = number
        self.services = services
        connection = RPCConnection(services.rpc)
    }

    /// True while connected, if the caller may decide and did not say that it will not. Requests are held while there
    /// is an approver.
    package var isApprover: Bool {
        caller.may(.decide) && connection.isOpen && isWillingToDecide.withLock { $0 }
    }

    /// True if the client's last message was binary; events are then sent as binary frames.
    var prefersBinary: Bool { connection.prefersBinary }
}

extension WebSocketClient: Subscriber {
    /// Lets every event through that the caller may see, until it subscribes to workspaces.
    package var filter: EventFilter { workspaces.filter }

    package func receive(_ event: EventFrames) { connection.send(prefersBinary ? event.binary : event.text) }

    package func end(_ end: SubscriptionEnd) {
        switch end {
        case .queueFull(let limits):
            connection.close(
                code: WebSocketCloseCode.tryAgainLater,
                reason:
                    "more than \(limits.events) events or \(limits.bytes) bytes of them wait; reconnect and catch up")
        case .revoked(let reason): connection.close(reason: reason)
        }
    }
}

extension WebSocketClient: RPCClient {
    package var isFramed: Bool { true }
    package var subscriptions: WorkspaceSubscriptions? { workspaces }

    package func introduce(_ introduction: ClientIntroduction) async {
        isWillingToDecide.withLock { $0 = introduction.isApprover }
        services.rpc.log(of: caller).info(
            "client introduced",
            ["client": id, "name": introduction.name, "version": introduction.version, "approver": "\(isApprover)"])
        await services.approvers.tell()
    }
}

extension WebSocketClient: SocketSession {
    package func opened(_ socket: any ClientSocket) async {
        connection.open(socket)
        services.subscribers.add(self)
        guard caller.deviceID.map(services.devices.admits) ?? true else {
            return connection.close(reason: "this device was revoked")
        }
        services.rpc.log(of: caller).info("client connected", ["client": id, "as": caller.logName])
        await services.approvers.tell()
    }

    package func received(_ sent: WebSocketMessage) async { await connection.received(sent, by: self) }

    package func closed(_ closure: WebSocketClosure) async {
        connection.closed()
        services.subscribers.remove(self)
        services.viewers.left(id)
        for listener in services.listeners { await listener.clientLeft(id) }
        services.rpc.log(of: caller).info("client left", ["client": id, "code": "\(closure.code)"])
        await services.approvers.tell()
    }
}
