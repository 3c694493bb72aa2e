import OrderedJSON
import Wire

enum HTTPProbe {
    /// Reads as a server does: nothing more after a request that ends the connection.
    static func requests(_ pieces: [ArraySlice<UInt8>]) -> JSON {
        var parser = HTTPRequestParser()
        var events: [JSON] = []
        var isOpen = true
        for piece in pieces where isOpen {
            parser.receive(piece)
            while isOpen, let event = parser.next() {
                events.append(describe(event))
                if case .request(let request) = event { isOpen = request.keepAlive }
            }
        }
        return ["events": .array(events)]
    }

    /// Reads as a client does that sent one GET and sees the connection close after the last byte.
    static func responses(_ pieces: [ArraySlice<UInt8>]) -> JSON {
        var parser = HTTPResponseParser()
        var events: [JSON] = []
        var isOpen = true
        for piece in pieces where isOpen {
            parser.receive(piece)
            while isOpen, let event = parser.next() {
                events.append(describe(event))
                if case .response = event { isOpen = false }
            }
        }
        if isOpen, let last = parser.finish() { events.append(describe(last)) }
        return ["events": .array(events)]
    }

    private static func describe(_ event: HTTPParserEvent) -> JSON {
        switch event {
        case .expectContinue: ["type": "continue"]
        case .failure(let status, let message):
            ["type": "failure", "code": .number(JSONNumber(status.code)), "message": .string(message)]
        case .request(let request):
            [
                "type": "request", "method": .string(request.method), "target": .string(request.target),
                "path": .string(request.path), "query": request.query.map { .string($0) } ?? .null,
                "authority": request.authority.map { .string($0) } ?? .null,
                "version": .string(request.version.rawValue), "headers": describe(request.headers),
                "body": hex(request.body), "keep_alive": .bool(request.keepAlive),
            ]
        }
    }

    private static func describe(_ event: HTTPResponseEvent) -> JSON {
        switch event {
        case .interim(let status, let headers): describe("interim", status, headers, [])
        case .response(let response): describe("response", response.status, response.headers, response.body)
        case .failure(let message): ["type": "failure", "message": .string(message)]
        }
    }

    private static func describe(_ type: String, _ status: HTTPStatus, _ headers: HTTPHeaders, _ body: [UInt8]) -> JSON
    {
        [
            "type": .string(type), "code": .number(JSONNumber(status.code)), "reason": hex(status.reason.utf8),
            "headers": describe(headers), "body": hex(body),
        ]
    }

    private static func describe(_ headers: HTTPHeaders) -> JSON {
        .array(headers.map { [.string($0.name), hex($0.value.utf8)] })
    }
}
