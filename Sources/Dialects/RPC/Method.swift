package import Core
import OrderedJSON
import Wire

/// One call of a method, without its parameters.
struct Call: Sendable {
    let client: any RPCClient
    /// The call's own id; `nil` for a notification.
    let id: JSONRPCID?
    /// All methods, which `rpc.discover` describes.
    let table: MethodTable
    /// False in a batch, because the other entries would wait too.
    let mayWait: Bool

    var caller: Caller { client.caller }
}

/// The declaration of a method. The dispatcher, the OpenRPC document and the tables in `docs/protocol.md` are made from
/// these.
package struct Method: Sendable {
    typealias Handler = @Sendable (Call, Arguments) async throws(JSONRPCError) -> JSON

    package let name: String
    /// The right that the caller must have; nil if every caller may.
    package let right: Right?
    /// True if the method is refused to a process inside an agent even if it has the right, because it says who may
    /// connect.
    package let isForPeople: Bool
    package let scheduling: Scheduling
    /// True if much memory is needed to make the result, or to keep it: few such calls of a caller run at a time.
    package let takesTurns: Bool
    package let summary: String
    /// Sorted by name.
    package let parameters: [FieldDescription]
    private let makeResult: @Sendable () -> Schema
    /// Parses the parameters, then runs the handler of the declaration.
    let handler: Handler

    /// - Parameter handler: Called with the values of the fields, in their order.
    init<each Value: Sendable>(
        _ name: String, right: Right?, isForPeople: Bool = false, scheduling: Scheduling = .inOrder,
        takesTurns: Bool = false, summary: String, parameters: repeat Field<each Value>,
        result: @autoclosure @escaping @Sendable () -> Schema,
        handler: @escaping @Sendable (Call, repeat each Value) async throws(JSONRPCError) -> JSON
    ) {
        self.name = name
        self.right = right
        self.isForPeople = isForPeople
        self.scheduling = scheduling
        self.takesTurns = takesTurns
        self.summary = summary
        self.parameters = describe(repeat each parameters)
        makeResult = result
        self.handler = { call, arguments async throws(JSONRPCError) in
            let values = (repeat try (each parameters).read(arguments))
            return try await handler(call, repeat each values)
        }
    }

    /// - Parameter handler: Called with the value that the shape makes of the parameters.
    init<Parameters: Sendable>(
        _ name: String, right: Right?, isForPeople: Bool = false, scheduling: Scheduling = .inOrder,
        takesTurns: Bool = false, summary: String, shape: Shape<Parameters>,
        result: @autoclosure @escaping @Sendable () -> Schema,
        handler: @escaping @Sendable (Call, Parameters) async throws(JSONRPCError) -> JSON
    ) {
        self.name = name
        self.right = right
        self.isForPeople = isForPeople
        self.scheduling = scheduling
        self.takesTurns = takesTurns
        self.summary = summary
        self.parameters = shape.fields
        makeResult = result
        self.handler = { call, arguments async throws(JSONRPCError) in
            try await handler(call, try shape.read(arguments))
        }
    }

    /// The declaration once for each of its names, where other clients use another.
    static func named(_ names: [String], declare: (String) -> Method) -> [Method] { names.map(declare) }

    /// The schema of the result. Made on demand, because a start needs none.
    package var result: Schema { makeResult() }

    /// True if the method only reads. Such a call may be skipped in a batch whose answers are too large, and is not
    /// answered to a device that was revoked meanwhile.
    var onlyTells: Bool { right == .read || scheduling.isBeside && right != .drive }
}

/// Methods that belong together and need the same services.
package protocol MethodGroup: Sendable {
    var methods: [Method] { get }
}

/// All methods, sorted by name.
package struct MethodTable: Sendable {
    package let methods: [Method]
    /// Methods that other servers had, and what is to be called in their place.
    let former: [String: String]
    private let index: [String: Int]

    package init(_ groups: [any MethodGroup], former: [String: String] = [:]) {
        self.former = former
        methods = groups.flatMap(\.methods).sorted { $0.name < $1.name }
        index = Dictionary(methods.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(name: String) -> Method? {
        index[name].map { methods[$0] }
    }
}
