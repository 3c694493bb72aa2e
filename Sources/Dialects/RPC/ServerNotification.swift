/// A notification that the server sends. The OpenRPC document and the table of events in `docs/protocol.md` are made
/// from it.
package struct ServerNotification: Sendable {
    /// The JSON-RPC method.
    package let name: String
    let summary: String
    private let makeParameters: @Sendable () -> Schema

    init(_ name: String, summary: String, parameters: @autoclosure @escaping @Sendable () -> Schema) {
        self.name = name
        self.summary = summary
        makeParameters = parameters
    }

    /// The schema of `params`. Made on demand, because a start needs none.
    package var parameters: Schema { makeParameters() }
}
