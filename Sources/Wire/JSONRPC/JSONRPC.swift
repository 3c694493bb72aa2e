package import OrderedJSON

/// Parses JSON-RPC 2.0 for a server. A payload is one call or a batch of calls.
package enum JSONRPC {
    /// One member of a payload.
    package enum Entry: Sendable, Hashable {
        /// The other side's answer to a call of ours.
        case answer(JSONRPCResponse)
        case call(JSONRPCMessage)
        /// Not a call. The server sends this error response.
        case invalid(JSONRPCResponse)
    }

    /// The content of one WebSocket message or one POST.
    package struct Payload: Sendable, Hashable {
        /// Never empty: a payload that cannot be read is one invalid entry.
        package let entries: [Entry]
        /// True if the responses are sent as an array.
        package let isBatch: Bool

        /// Joins the responses into the bytes to send; nil if there are none, as for notifications.
        /// - Parameter responses: each serialised, in any order, including those of invalid entries.
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

    /// The most calls in a batch. Each call is answered, so without a limit a small batch could cause huge responses.
    package static let mostEntries = 1000

    /// Parses a payload. Errors become invalid entries, so a server handles all payloads alike.
    package static func decode(_ bytes: [UInt8], depth: Int = 128) -> Payload {
        do throws(JSONSyntaxError) {
            return try decode(JSON(parsing: bytes, depth: depth, ids: ids))
        } catch {
            return refused(.parseError("this is not JSON: \(error)"))
        }
    }

    /// The members that hold ids made by others; they are kept exactly.
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

    /// A call without a response, such as an event, as bytes: `{"jsonrpc":"2.0","method":…,"params":…}`.
    package static func notification(_ method: String, _ params: JSON? = nil) -> [UInt8] {
        JSONRPCMessage(method: method, params: params).serialized()
    }

    private static func entry(_ json: JSON) -> Entry {
        if json["method"] == nil, let answer = JSONRPCResponse(json) { return .answer(answer) }
        do throws(JSONRPCError) {
            guard !json.hasManyMarks else {
                throw .invalidRequest("a letter has more than \(String.mostMarks) marks; send it without them")
            }
            return .call(try JSONRPCMessage(decoding: json))
        } catch {
            return .invalid(JSONRPCResponse(id: json["id"].flatMap(JSONRPCID.init) ?? .null, error: error))
        }
    }

    private static func refused(_ error: JSONRPCError) -> Payload {
        Payload(entries: [.invalid(JSONRPCResponse(id: .null, error: error))], isBatch: false)
    }
}
