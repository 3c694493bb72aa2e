package import Core
package import OrderedJSON
import Wire

/// One call on its way to a method.
struct Call: Sendable {
    let arguments: Arguments
    let client: any RPCClient
    let services: Services
    /// For `rpc.discover`, which describes the whole table.
    let table: MethodTable
    /// False in a batch, whose other entries would wait too.
    let mayWait: Bool

    var caller: Caller { client.caller }
}

/// A method: the dispatcher, the OpenRPC document and the reference page are all made from these declarations.
package struct Method: Sendable {
    package struct Parameter: Sendable {
        package let name: String
        /// JSON Schema.
        package let schema: JSON
        package let summary: String
        package let isRequired: Bool

        init(_ name: String, _ schema: JSON, _ summary: String, isRequired: Bool = false) {
            self.name = name
            self.schema = schema
            self.summary = summary
            self.isRequired = isRequired
        }
    }

    typealias Handler = @Sendable (Call) async throws(JSONRPCError) -> JSON

    package let name: String
    /// What the caller must be allowed; nil where passing the door is enough.
    package let right: Right?
    /// Refused to a process inside an agent even where it has the right: it says who is let in.
    package let isForPeople: Bool
    /// It waits for a disk, a search or another machine, or writes out what may be megabytes: it is worked off beside the
    /// loop, and what is sent behind it on one connection does not wait for it.
    package let isSlow: Bool
    /// Its answer may be hundreds of kilobytes: it is made beside the loop, in its turn.
    package let isLarge: Bool
    package let summary: String
    package let parameters: [Parameter]
    /// What the result holds, in a sentence or two.
    package let result: String
    let handler: Handler

    init(
        _ name: String, right: Right?, isForPeople: Bool = false, isSlow: Bool = false, isLarge: Bool = false,
        summary: String,
        parameters: [Parameter] = [], result: String,
        handler: @escaping Handler
    ) {
        self.name = name
        self.right = right
        self.isForPeople = isForPeople
        self.isSlow = isSlow
        self.isLarge = isLarge
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.handler = handler
    }
}

/// The methods there are, sorted by name.
package struct MethodTable: Sendable {
    package let methods: [Method]
    private let index: [String: Int]

    init(_ methods: [Method]) {
        self.methods = methods
        index = Dictionary(methods.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> Method? {
        index[name].map { methods[$0] }
    }

    package static let standard = MethodTable([
        .clientPresence, .configChange, .deviceList, .deviceRevoke, .eventsSince, .hookSessions, .initialize,
        .initialized, .notifyTest, .pairApprove, .pairPending, .pairReject, .pairStart, .permissionHistory,
        .permissionPending, .permissionPreview, .permissionRespond, .permissionRevoke, .permissionRules,
        .permissionStats, .pushKey, .pushSubscribe, .pushUnsubscribe, .rpcDiscover, .statusGet, .statusHealth,
        .tokenCreate, .tokenList, .tokenRevoke,
    ])
}
