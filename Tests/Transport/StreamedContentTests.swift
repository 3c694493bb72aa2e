import Platform
import TestSupport
import Testing
import Transport
import Wire

/// Answers whose content is sent in pieces.
@Suite(.timeLimit(.minutes(1)))
struct StreamedContentTests {
    private static let head = HTTPResponse(.ok, headers: ["Content-Type": "text/plain"])

    /// Sends what `content` writes; a request for another path is answered at once.
    private func streaming(_ content: @escaping @Sendable (Exchange, ContentWriter) async -> Void) -> TestHandler {
        TestHandler(onHandle: { request, _, exchange in
            guard request.path == "/stream" else { return HTTPResponse(.ok, body: Array("whole".utf8)) }
            exchange.stream { writer in await content(exchange, writer) }
            return Self.head
        })
    }

    private static func write(_ text: String, _ writer: ContentWriter) async -> Bool {
        await writer.write(Array(text.utf8))
    }

    @Test func piecesArriveWhenTheyAreWritten() async throws {
        let read = Events<Void>()
        let handler = streaming { _, writer in
            #expect(await Self.write("one", writer))
            try? await read.next()
            #expect(await Self.write("", writer), "an empty piece does not end the content")
            #expect(await Self.write("two", writer))
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream") + request("GET", "/"))
            var text = ""
            while !text.contains("3\r\none\r\n") { text += String(decoding: try await client.receive(), as: UTF8.self) }
            #expect(text.contains("Transfer-Encoding: chunked"))
            #expect(!text.contains("two"))
            read.add(())
            while !text.contains("whole") { text += String(decoding: try await client.receive(), as: UTF8.self) }
            #expect(text.contains("3\r\ntwo\r\n0\r\n\r\nHTTP/1.1 200 OK"), "the next answer follows the end")
        }
    }

    @Test func aClientParsesTheWholeOfIt() async throws {
        let handler = streaming { _, writer in
            for number in 0..<1000 { _ = await Self.write("\(number),", writer) }
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            for _ in 0..<2 {
                try await client.send(request("GET", "/stream"))
                #expect(try await client.response().text == (0..<1000).map { "\($0)," }.joined())
            }
        }
    }

    @Test func headHasNoContent() async throws {
        let handler = streaming { _, _ in Issue.record("nothing is to be written") }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("HEAD", "/stream") + request("GET", "/"))
            var text = ""
            while !text.contains("whole") { text += String(decoding: try await client.receive(), as: UTF8.self) }
            #expect(text.contains("Transfer-Encoding: chunked\r\n\r\nHTTP/1.1 200 OK"))
        }
    }

    @Test func theConnectionEndsTheContentOfHTTP10() async throws {
        let handler = streaming { _, writer in
            _ = await Self.write("one ", writer)
            _ = await Self.write("two", writer)
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send("GET /stream HTTP/1.0\r\n\r\n")
            let text = String(decoding: try await client.receiveAll(), as: UTF8.self)
            #expect(!text.contains("chunked"))
            #expect(text.hasSuffix("Connection: close\r\n\r\none two"))
        }
    }

    @Test func aClientThatLeavesEndsTheWriting() async throws {
        let begun = Events<Void>()
        let ended = Events<Bool>()
        let handler = streaming { exchange, writer in
            begun.add(())
            await waitForCancellation()
            while await Self.write(String(repeating: "x", count: 10_000), writer) {}
            ended.add(exchange.peerHasLeft)
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream"))
            try await begun.next()
            try await client.close()
            #expect(try await ended.next())
            while await test.server.connectionsOpen > 0 { try await letOthersRun() }
        }
    }

    @Test func contentRunsThoughItsClientHasLeftBefore() async throws {
        let begun = Events<Void>()
        let ended = Events<Bool>()
        let handler = TestHandler(onHandle: { _, _, exchange in
            begun.add(())
            await waitForCancellation()
            // The kernel tells of the reset with the first write.
            exchange.sendInterim(HTTPInterim.processing([:]))
            exchange.stream { writer in
                while await Self.write("x", writer) {}
                ended.add(exchange.peerHasLeft)
            }
            return Self.head
        })
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream"))
            try await begun.next()
            try await client.close()
            #expect(try await ended.next())
        }
    }

    @Test func aSlowReaderHoldsTheWriterBack() async throws {
        let written = Locked(0)
        let begun = Events<Void>()
        let piece = String(repeating: "x", count: 100_000)
        let handler = streaming { _, writer in
            for _ in 1...100 where await Self.write(piece, writer) {
                written.withLock { $0 += 1 }
                begun.add(())
            }
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream"))
            try await begun.next()
            // Far more turns of the loop than the writer needs for all of it.
            let other = try test.client()
            for _ in 0..<500 {
                try await other.send(request("GET", "/"))
                #expect(try await other.response().status.code == 200)
            }
            // A socket holds some hundred kilobytes.
            #expect(written.withLock { $0 } < 50)
            #expect(try await client.response().body.count == 10_000_000)
        }
    }

    @Test func aReaderThatTakesNothingIsLeft() async throws {
        let time = TestTime()
        let ended = Events<Void>()
        let handler = streaming { _, writer in
            while await Self.write(String(repeating: "x", count: 100_000), writer) {}
            ended.add(())
        }
        try await withServer(time.limits(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream"))
            try await time.passes { try await ended.next() }
            _ = client
        }
    }

    @Test func aStopLetsTheWriterSayItsLastWords() async throws {
        let begun = Events<Void>()
        let handler = streaming { exchange, writer in
            begun.add(())
            await waitForCancellation()
            _ = await Self.write(exchange.peerHasLeft ? "left" : "stopped", writer)
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream"))
            try await begun.next()
            async let stopped: Void = test.server.stop(grace: .seconds(60))
            #expect(try await client.response().text == "stopped")
            #expect(try await client.receive().isEmpty)
            try await client.close()
            await stopped
        }
    }

    @Test func aStopEndsThoughTheWriterGoesOn() async throws {
        let begun = Events<Void>()
        let ended = Events<Void>()
        let handler = streaming { _, writer in
            begun.add(())
            while await Self.write("x", writer) { await Task.yield() }
            ended.add(())
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream"))
            try await begun.next()
            let reader = client.duplicate()
            async let rest = reader.receiveAll()
            await test.server.stop(grace: .milliseconds(20))
            try await ended.next()
            #expect(!String(decoding: try await rest, as: UTF8.self).hasSuffix("0\r\n\r\n"), "cut, and seen as cut")
        }
    }

    @Test func aWriterThatIsKeptWritesIntoNoOtherAnswer() async throws {
        let kept = Events<ContentWriter>()
        let handler = streaming { _, writer in
            kept.add(writer)
            _ = await Self.write("one", writer)
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stream"))
            #expect(try await client.response().text == "one")
            #expect(await Self.write("late", try await kept.next()) == false)
            try await client.send(request("GET", "/"))
            #expect(try await client.response().text == "whole")
        }
    }
}
