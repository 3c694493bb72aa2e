import Testing
import Wire

@Suite struct HTTPResponseParserTests {
    static let corpus = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 102 Processing\r\nCdev-Deadline: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u{1}",
        "HTTP/1.0 200\r\n\r\nuntil close",
    ]

    private func events(_ text: String, headOnly: Bool = false) -> [HTTPResponseEvent] {
        HTTPResponseParser(headOnly: headOnly).events(of: Array(text.utf8))
    }

    private static let ok = HTTPResponse(.ok, headers: ["content-length": "2"], body: Array("ok".utf8))

    @Test func readsAResponse() {
        #expect(events(Self.corpus[0]) == [.response(Self.ok)])
    }

    @Test func reportsInterimResponsesFirst() {
        let interim = HTTPResponseEvent.interim(.processing, ["Cdev-Deadline": "1"])
        #expect(events(Self.corpus[1]) == [interim, .response(Self.ok)])
    }

    @Test func readsChunksAndResponsesWithoutContent() {
        let responses = events(Self.corpus[2])
        #expect(responses.count == 2)
        #expect(responses.last == .response(HTTPResponse(.noContent)))
    }

    @Test func leavesWhatFollowsASwitchOfProtocols() {
        var parser = HTTPResponseParser()
        parser.receive(Array(Self.corpus[3].utf8))
        guard case .response(let response) = parser.next() else {
            Issue.record("no response")
            return
        }
        #expect(response.status == .switchingProtocols)
        #expect(parser.takeRemaining() == [1])
    }

    @Test func readsContentThatEndsWithTheConnection() {
        var parser = HTTPResponseParser()
        parser.receive(Array(Self.corpus[4].utf8))
        #expect(parser.next() == nil)
        let status = HTTPStatus(code: 200, reason: "")
        #expect(parser.finish() == .response(HTTPResponse(status, body: Array("until close".utf8))))
        #expect(parser.finish() == nil)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", "HTTP/1.1 200 OK\r\nConte", "HTT"])
    func saysThatAnAnswerWasCutShort(text: String) {
        var parser = HTTPResponseParser()
        parser.receive(Array(text.utf8))
        #expect(parser.next() == nil)
        guard case .failure = parser.finish() else {
            Issue.record("not noticed")
            return
        }
    }

    @Test func nothingIsMissingBetweenAnswers() {
        var parser = HTTPResponseParser()
        parser.receive(Array(Self.corpus[0].utf8))
        #expect(parser.next() != nil)
        #expect(parser.finish() == nil)
    }

    @Test func eachHeadHasTheWholeCeiling() {
        let interim = "HTTP/1.1 102 Processing\r\nX: \(String(repeating: "x", count: 100))\r\n\r\n"
        let limits = HTTPLimits(header: interim.utf8.count, headerCount: 5, body: 10, target: 0)
        let bytes = Array((interim + interim + "HTTP/1.1 204 No Content\r\n\r\n").utf8)
        #expect(HTTPResponseParser(limits: limits).events(of: bytes).last == .response(HTTPResponse(.noContent)))
        #expect(HTTPResponseParser(limits: limits).events(of: bytes).count == 3)
    }

    @Test(arguments: [(10, true), (11, false)])
    func ceilingOfContentThatEndsWithTheConnection(size: Int, fits: Bool) {
        let limits = HTTPLimits(header: 100, headerCount: 5, body: 10, target: 0)
        let text = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: size)
        #expect(HTTPResponseParser(limits: limits).events(of: Array(text.utf8)).isEmpty == fits)
    }

    @Test func headHasNoContent() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        #expect(events(head + head, headOnly: true).count == 2)
    }

    @Test(arguments: [
        "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 2000\r\n\r\n",
        "HTTP/1.1  200 OK\r\n\r\n", "\r\n", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 200 OK\n\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
    ])
    func refuses(text: String) {
        guard case .failure(let sentence) = events(text).first else {
            Issue.record("accepted")
            return
        }
        #expect(!sentence.isEmpty)
    }

    @Test(arguments: corpus)
    func everyCut(text: String) {
        let bytes = Array(text.utf8)
        let whole = HTTPResponseParser().events(of: bytes)
        for place in 0...bytes.count { #expect(HTTPResponseParser().events(of: bytes, cutAt: place) == whole) }
    }
}
