package import OrderedJSON

/// JSON-RPC 2.0 as a server reads it: one payload is a call or a batch of calls.
package enum JSONRPC {
    /// One member of a payload.
    package enum Entry: Sendable, Hashable {
        case call(JSONRPCMessage)
        /// Not a call; to be answered with this.
        case invalid(JSONRPCResponse)
    }

    /// What one WebSocket message or one POST holds.
    package struct Payload: Sendable, Hashable {
        /// Never empty: what cannot be read at all is one invalid entry.
        package let entries: [Entry]
        /// Whether the answers go back as an array.
        package let isBatch: Bool

        /// The bytes to answer with, nil if there is nothing to say, as after notifications only.
        /// - Parameter responses: each written out, in any order; those of invalid entries included.
        package func encode(_ responses: [[UInt8]]) -> [UInt8]? {
            guard let first = responses.first else { return nil }
            guard isBatch else { return first }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(responses.reduce(2) { $0 + $1.count + 1 })
            for response in responses {
                bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
                bytes += response
            }
            bytes.append(UInt8(ascii: "]"))
            return bytes
        }
    }

    /// Each entry of a batch is answered, however small it is.
    package static let mostEntries = 1000

    /// Reads a payload. What is wrong with it is in its entries, so a server answers all of it in one way.
    package static func decode(_ bytes: [UInt8], depth: Int = 128) -> Payload {
        do throws(JSONSyntaxError) {
            return try decode(JSON(parsing: bytes, depth: depth, ids: ids))
        } catch {
            return refused(.parseError("this is not JSON: \(error)"))
        }
    }

    /// What names something that somebody else named.
    private static let ids = JSONIDs(["id"], in: [("params", JSONIDs(idNames, in: [("responses", JSONIDs(idNames))]))])
    private static let idNames = ["request_id", "rule_id", "session_id", "tool_use_id"]

    package static func decode(_ json: JSON) -> Payload {
        guard case .array(let members) = json else { return Payload(entries: [entry(json)], isBatch: false) }
        guard !members.isEmpty else { return refused(.invalidRequest("an empty batch; send at least one request")) }
        guard members.count <= mostEntries else {
            return refused(.invalidRequest("a batch of \(members.count) requests; send at most \(mostEntries)"))
        }
        return Payload(entries: members.map(entry), isBatch: true)
    }

    /// An event or any other call without an answer: `{"jsonrpc":"2.0","method":…,"params":…}`.
    package static func notification(_ method: String, _ params: JSON? = nil) -> [UInt8] {
        JSONRPCMessage(method: method, params: params).serialized()
    }

    private static func entry(_ json: JSON) -> Entry {
        do throws(JSONRPCError) {
            return .call(try JSONRPCMessage(decoding: json))
        } catch {
            return .invalid(JSONRPCResponse(id: json["id"].flatMap(JSONRPCID.init) ?? .null, error: error))
        }
    }

    private static func refused(_ error: JSONRPCError) -> Payload {
        Payload(entries: [.invalid(JSONRPCResponse(id: .null, error: error))], isBatch: false)
    }
}
