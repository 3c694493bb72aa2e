import Testing
import Wire

@Suite struct HTTPRequestParserTests {
    private func events(_ text: String, limits: HTTPLimits = .standard) -> [HTTPParserEvent] {
        HTTPRequestParser(limits: limits).events(of: Array(text.utf8))
    }

    private func requests(_ text: String) -> [HTTPRequest] {
        events(text).compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    @Test func readsTheRequestLine() throws {
        let request = try #require(requests("GET /a%20b?c=d?e HTTP/1.1\r\nHost: h\r\n\r\n").first)
        #expect(request.method == "GET")
        #expect(request.target == "/a%20b?c=d?e")
        #expect(request.path == "/a%20b")
        #expect(request.query == "c=d?e")
        #expect(request.authority == nil)
        #expect(request.version == .http11)
        #expect(request.body.isEmpty)
        #expect(request.keepAlive)
    }

    @Test(arguments: [
        ("http://h:1/p?q", "h:1", "/p", "q"), ("HTTP://h", "h", "/", nil), ("https://[::1]?q", "[::1]", "/", "q"),
    ])
    func keepsTheAuthorityOfAnAbsoluteTarget(target: String, authority: String, path: String, query: String?) throws {
        let request = try #require(requests("GET \(target) HTTP/1.1\r\nHost: other\r\n\r\n").first)
        #expect(request.authority == authority)
        #expect(request.path == path)
        #expect(request.query == query)
    }

    @Test func readsFieldsInOrderWithoutBlanksAroundThem() throws {
        let request = try #require(requests(HTTPCorpus.accepted[6]).first)
        let fields = request.headers.map { "\($0.name)=\($0.value)" }
        #expect(fields == ["Host=other", "X-Empty=", "X-Blank=", "X-Text=a b", "X-Utf=Grüße"])
    }

    @Test func readsContentOfBothFramings() {
        #expect(requests(HTTPCorpus.accepted[2]).first?.body == Array("hello".utf8))
        #expect(requests(HTTPCorpus.accepted[3]).first?.body == Array("hello0123456789".utf8))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n", true), ("GET / HTTP/1.1\r\nHost: a\r\nConnection: CLOSE\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: a, close ,b\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n", true),
        ("GET / HTTP/1.0\r\n", false), ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n", false),
    ])
    func knowsWhetherTheConnectionStays(head: String, stays: Bool) {
        #expect(requests(head + "\r\n").map(\.keepAlive) == [stays])
    }

    @Test func keepsPipelinedRequestsInOrder() {
        #expect(requests(HTTPCorpus.accepted[7]).map(\.path) == ["/1", "/2"])
    }

    @Test func asksForTheContentOnceAndOnlyIfSomeIsExpected() {
        let expecting = events(HTTPCorpus.accepted[4])
        #expect(expecting.count == 3)
        #expect(expecting.first == .expectContinue)
        #expect(events("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n").count == 1)
        #expect(events("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na").count == 1)
    }

    @Test(arguments: HTTPCorpus.refused)
    func refuses(request: String, code: Int) throws {
        let found = events(request)
        guard case .failure(let status, let sentence) = try #require(found.first) else {
            Issue.record("accepted: \(found)")
            return
        }
        #expect(status.code == code)
        #expect(!sentence.isEmpty)
        #expect(found.count == 1)
    }

    @Test func saysNothingMoreAfterAFailure() {
        var parser = HTTPRequestParser()
        parser.receive(Array("GET / HTTP/9.9\r\n\r\n".utf8))
        #expect(parser.next() != nil)
        parser.receive(Array(HTTPCorpus.accepted[0].utf8))
        #expect(parser.next() == nil)
        #expect(!parser.isMidRequest)
        #expect(parser.takeRemaining().isEmpty)
    }

    @Test func knowsWhenItIsInTheMiddleOfARequest() {
        var parser = HTTPRequestParser()
        #expect(!parser.isMidRequest)
        for byte in Array(HTTPCorpus.accepted[2].utf8).dropLast() {
            parser.receive(CollectionOfOne(byte))
            #expect(parser.next() == nil)
            #expect(parser.isMidRequest)
        }
        parser.receive(Array("o".utf8))
        #expect(parser.next() != nil)
        #expect(!parser.isMidRequest)
    }

    @Test func handsOverWhatFollowsAnUpgrade() {
        var parser = HTTPRequestParser()
        parser.receive(Array("GET /ws HTTP/1.1\r\nHost: a\r\n\r\n\u{1}\u{2}".utf8))
        #expect(parser.next() != nil)
        #expect(parser.takeRemaining() == [1, 2])
        #expect(parser.takeRemaining().isEmpty)
    }

    @Test func takesBytesFromAPointer() {
        var parser = HTTPRequestParser()
        Array(HTTPCorpus.accepted[0].utf8).withUnsafeBytes { parser.receive($0) }
        #expect(parser.next() != nil)
    }
}
