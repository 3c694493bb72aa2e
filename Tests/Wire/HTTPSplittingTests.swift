import Testing
import Wire

/// Events depend on the bytes, never on how they were split.
@Suite struct HTTPSplittingTests {
    private static let corpus = (HTTPCorpus.accepted + HTTPCorpus.refused.map(\.request)).map { Array($0.utf8) }

    @Test(arguments: corpus)
    func everyCut(bytes: [UInt8]) {
        let parser = HTTPRequestParser()
        let whole = parser.events(of: bytes)
        for place in 0...bytes.count { #expect(parser.events(of: bytes, cutAt: place) == whole) }
        #expect(parser.eventsByteByByte(of: bytes) == whole)
    }

    @Test func mutatedRequests() throws {
        var random = SeededGenerator(state: 20_261_121)
        let limits = HTTPLimits(header: 160, headerCount: 5, body: 40, target: 40)
        for _ in 0..<6000 {
            let original = try #require(Self.corpus.randomElement(using: &random))
            let bytes = mutated(original, palette: HTTPCorpus.palette, using: &random)
            for parser in [HTTPRequestParser(), HTTPRequestParser(limits: limits)] {
                let whole = parser.events(of: bytes)
                let cut = parser.events(of: bytes, cutBy: &random)
                #expect(cut == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }
    }

    @Test func mutatedResponses() throws {
        var random = SeededGenerator(state: 20_261_122)
        for _ in 0..<3000 {
            let original = try #require(HTTPResponseParserTests.corpus.randomElement(using: &random))
            let bytes = mutated(Array(original.utf8), palette: HTTPCorpus.palette, using: &random)
            let whole = HTTPResponseParser().events(of: bytes)
            #expect(HTTPResponseParser().events(of: bytes, cutBy: &random) == whole)
        }
    }
}
