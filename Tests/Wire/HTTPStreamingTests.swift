import Testing
import Wire

/// Content that is sent in pieces.
@Suite struct HTTPStreamingTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    private let response = HTTPResponse(.ok, headers: ["Content-Type": "text/event-stream"], body: [1, 2, 3])

    @Test func chunks() {
        let framing = HTTPStreamFraming(for: .http11)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
        #expect(text(framing.head(of: response, keepAlive: true)) == head + "\r\n")
        #expect(text(framing.head(of: response, keepAlive: false)) == head + "Connection: close\r\n\r\n")
        #expect(text(framing.piece(Array("hello".utf8))) == "5\r\nhello\r\n")
        #expect(text(framing.piece(Array(repeating: 120, count: 300))).hasPrefix("12c\r\nxxx"))
        #expect(text(framing.end) == "0\r\n\r\n")
    }

    @Test func anEmptyPieceDoesNotEndTheContent() {
        #expect(HTTPStreamFraming.chunked.piece([]).isEmpty)
    }

    @Test func theConnectionEndsTheContentOfHTTP10() {
        let framing = HTTPStreamFraming(for: .http10)
        #expect(
            text(framing.head(of: response, keepAlive: true))
                == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        #expect(text(framing.piece(Array("hello".utf8))) == "hello")
        #expect(framing.end.isEmpty)
    }

    @Test func aClientReadsWhatWasWritten() {
        var parser = HTTPResponseParser()
        let framing = HTTPStreamFraming.chunked
        parser.receive(framing.head(of: response, keepAlive: true))
        for piece in ["one ", "", "two"] { parser.receive(framing.piece(Array(piece.utf8))) }
        #expect(parser.next() == nil, "the end is missing")
        parser.receive(framing.end)
        guard case .response(let read) = parser.next() else {
            Issue.record("not read")
            return
        }
        #expect(text(read.body) == "one two")
    }

    @Test func events() {
        #expect(text(ServerSentEvent.data("{}")) == "data: {}\n\n")
        #expect(text(ServerSentEvent.event("ping", "a\nb")) == "event: ping\ndata: a\ndata: b\n\n")
        #expect(text(ServerSentEvent.comment("waits")) == ": waits\n\n")
        #expect(text(ServerSentEvent.data("a\nevent: b\rc")) == "data: a\ndata: event: b\ndata: c\n\n")
        #expect(text(ServerSentEvent.data("")) == "data: \n\n")
    }
}
