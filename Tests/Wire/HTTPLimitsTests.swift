import Testing
import Wire

/// Each limit is reached exactly, and exceeded by one.
@Suite struct HTTPLimitsTests {
    private func code(_ text: String, _ limits: HTTPLimits) -> Int? {
        let whole = HTTPRequestParser(limits: limits).events(of: Array(text.utf8))
        #expect(HTTPRequestParser(limits: limits).eventsByteByByte(of: Array(text.utf8)) == whole)
        guard case .failure(let status, _) = whole.last else { return whole.isEmpty ? nil : 200 }
        return status.code
    }

    private static let small = HTTPLimits(header: 200, headerCount: 3, body: 20, target: 50)

    @Test(arguments: [(200, 200), (201, 431)])
    func head(size: Int, expected: Int) {
        let start = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        let text = start + String(repeating: "x", count: size - start.utf8.count - 4) + "\r\n\r\n"
        #expect(code(text, Self.small) == expected)
    }

    @Test func headThatNeverEnds() {
        let start = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        let text = start + String(repeating: "x", count: 200 - start.utf8.count)
        #expect(code(String(text.dropLast()), Self.small) == nil)
        #expect(code(text, Self.small) == 431)
    }

    @Test(arguments: [(3, 200), (4, 431)])
    func numberOfFields(count: Int, expected: Int) {
        let fields = (1..<count).map { "X\($0): 1\r\n" }.joined()
        #expect(code("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n", Self.small) == expected)
    }

    @Test(arguments: [(50, 200), (51, 414)])
    func target(size: Int, expected: Int) {
        let target = "/" + String(repeating: "x", count: size - 1)
        #expect(code("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", Self.small) == expected)
    }

    @Test func firstLineThatNeverEnds() {
        #expect(code("GET /" + String(repeating: "x", count: 195), Self.small) == 414)
        #expect(code("GET /" + String(repeating: "x", count: 194), Self.small) == nil)
    }

    @Test(arguments: [(20, 200), (21, 413)])
    func declaredContent(size: Int, expected: Int) {
        let content = String(repeating: "x", count: size)
        #expect(code("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n\(content)", Self.small) == expected)
    }

    @Test func declaredContentIsRefusedBeforeItIsSentAndWithoutAskingForIt() {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 21\r\n\r\n"
        #expect(code(head, Self.small) == 413)
    }

    @Test(arguments: [(20, 200), (21, 413)])
    func countedContent(size: Int, expected: Int) {
        let chunks = String(repeating: "1\r\nx\r\n", count: size)
        #expect(code(HTTPCorpus.chunked(chunks + "0\r\n\r\n"), Self.small) == expected)
    }

    @Test func countedContentIsRefusedByTheSizeThatCrossesIt() {
        #expect(code(HTTPCorpus.chunked("13\r\n" + String(repeating: "x", count: 19) + "\r\n2\r\n"), Self.small) == 413)
    }

    @Test(arguments: [(199, 200), (200, 431)])
    func chunkExtensionsTogether(size: Int, expected: Int) {
        let first = "1;" + String(repeating: "x", count: 99) + "\r\na\r\n"
        let second = "1;" + String(repeating: "x", count: size - 100) + "\r\nb\r\n"
        #expect(code(HTTPCorpus.chunked(first + second + "0\r\n\r\n"), Self.small) == expected)
    }

    @Test func chunkExtensionThatNeverEnds() {
        #expect(code(HTTPCorpus.chunked("1;" + String(repeating: "x", count: 300)), Self.small) == 431)
    }

    @Test(arguments: [(200, 200), (201, 431)])
    func trailers(size: Int, expected: Int) {
        let trailer = "X: " + String(repeating: "x", count: size - 5) + "\r\n"
        #expect(code(HTTPCorpus.chunked("0\r\n\(trailer)\r\n"), Self.small) == expected)
    }

    /// Both inputs would take minutes if bytes were searched or copied again with each piece.
    @Test(.timeLimit(.minutes(1)))
    func drippedHeadAndLargeContentAreReadInLinearTime() {
        let limits = HTTPLimits(header: 600_000, headerCount: 100, body: 64 * 1024 * 1024, target: 100)
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 500_000) + "\r\n\r\n"
        #expect(HTTPRequestParser(limits: limits).eventsByteByByte(of: Array(head.utf8)).count == 1)
        let piece = [UInt8](repeating: 0x61, count: 16 * 1024)
        let start = Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(4096 * piece.count)\r\n\r\n".utf8)
        let pieces = [start] + Array(repeating: piece, count: 4096)
        #expect(HTTPRequestParser(limits: limits).events(of: pieces).count == 1)
    }
}
