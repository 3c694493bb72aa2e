/// A notification that the server sends unasked. The OpenRPC document lists them, and the table of events on the page
/// about the protocol is made from it.
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

    /// Of the object in `params`. Made only when it is asked for: a start needs none.
    package var parameters: Schema { makeParameters() }
}
