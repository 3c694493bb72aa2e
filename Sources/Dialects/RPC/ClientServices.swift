import Core
package import Services

/// The services that all connections of our own clients share.
package struct ClientServices: Sendable {
    let subscribers: Subscribers<WebSocketClient>
    let approvers: Approvers
    let devices: DeviceRegister
    let viewers: SessionViewers
    /// Told when a client has left.
    let listeners: [any ClientListener]
    let rpc: RPCServices

    package init(
        subscribers: Subscribers<WebSocketClient>, approvers: Approvers, devices: DeviceRegister,
        viewers: SessionViewers, rpc: RPCServices, listeners: [any ClientListener] = []
    ) {
        self.listeners = listeners
        self.subscribers = subscribers
        self.approvers = approvers
        self.devices = devices
        self.viewers = viewers
        self.rpc = rpc
    }
}
