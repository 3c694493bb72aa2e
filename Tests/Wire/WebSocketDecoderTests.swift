import Testing
import Wire

@Suite struct WebSocketDecoderTests {
    private typealias Corpus = WebSocketCorpus
    private let server = WebSocketDecoder(role: .server)

    private func code(_ events: [WebSocketEvent]) -> UInt16? {
        guard case .failure(let code, let sentence) = events.last else { return nil }
        #expect(!sentence.isEmpty)
        return code
    }

    @Test(arguments: WebSocketCorpus.accepted)
    func reads(example: WebSocketCorpus.Case) {
        #expect(server.events(of: example.bytes) == example.events, "\(example.name)")
    }

    @Test(arguments: WebSocketCorpus.refused)
    func refuses(name: String, bytes: [UInt8], expected: UInt16) {
        let events = server.events(of: bytes)
        #expect(events.count == 1, "\(name)")
        #expect(code(events) == expected, "\(name)")
    }

    @Test(arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func refusesReservedOpcodes(opcode: UInt8) {
        #expect(code(server.events(of: Corpus.frame(0x80 | opcode))) == 1002)
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])
    func takesCloseCode(code: UInt16) {
        #expect(server.events(of: Corpus.close(code)) == [.close(code: code, reason: "")])
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] as [UInt16])
    func refusesCloseCode(code: UInt16) {
        #expect(self.code(server.events(of: Corpus.close(code))) == 1002)
    }

    @Test(arguments: WebSocketCorpus.invalidUTF8)
    func refusesTextThatIsNotUTF8(bytes: [UInt8]) {
        let prefix = Array("κόσμε".utf8)
        #expect(code(server.events(of: Corpus.frame(0x81, prefix + bytes))) == 1007)
        #expect(code(server.events(of: Corpus.frame(0x01, prefix) + Corpus.frame(0x80, bytes))) == 1007)
    }

    /// The frame announces 100 bytes; the bytes up to the first invalid one have arrived.
    @Test func refusesTextAtItsFirstWrongByte() {
        let payload: [UInt8] = [0x61, 0xED, 0xA0] + [UInt8](repeating: 0x61, count: 97)
        let frame = Corpus.frame(0x81, payload)
        #expect(server.events(of: Array(frame.prefix(8))).isEmpty)
        #expect(code(server.events(of: Array(frame.prefix(9)))) == 1007)
    }

    @Test(arguments: [[0x82, 0xFE, 0x00, 0x7D], [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]] as [[UInt8]])
    func refusesALengthBeforeTheMaskHasCome(head: [UInt8]) {
        #expect(code(server.events(of: head)) == 1002)
    }

    @Test func acceptsEveryScalar() {
        let scalars = [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF].compactMap(
            Unicode.Scalar.init)
        let text = String(String.UnicodeScalarView(scalars))
        #expect(server.events(of: Corpus.frame(0x81, text)) == [.text(text)])
    }

    @Test func aServersFramesAreNotMasked() {
        let client = WebSocketDecoder(role: .client)
        #expect(client.events(of: WebSocketFrame.text("hi")) == [.text("hi")])
        #expect(code(client.events(of: Corpus.frame(0x81, "hi"))) == 1002)
    }

    @Test(arguments: [(10, true), (11, false)])
    func ceilingOfAFrame(size: Int, fits: Bool) {
        let decoder = WebSocketDecoder(role: .server, limits: WebSocketLimits(frame: 10, message: 100))
        let frame = Corpus.frame(0x82, [UInt8](repeating: 1, count: size))
        #expect(code(decoder.events(of: frame)) == (fits ? nil : 1009))
        #expect(code(decoder.events(of: Array(frame.prefix(6)))) == (fits ? nil : 1009))
    }

    @Test(arguments: [(10, true), (11, false)])
    func ceilingOfAMessage(size: Int, fits: Bool) {
        let decoder = WebSocketDecoder(role: .server, limits: WebSocketLimits(frame: 10, message: 10))
        let fragments =
            Corpus.frame(0x02, [1]) + (2..<size).flatMap { _ in Corpus.frame(0x00, [1]) } + Corpus.frame(0x80, [1])
        let events = decoder.events(of: fragments)
        #expect(events == (fits ? [.binary([UInt8](repeating: 1, count: size))] : events))
        #expect(code(events) == (fits ? nil : 1009))
    }

    @Test func aPingIsNoPartOfTheMessagesCeiling() {
        let decoder = WebSocketDecoder(role: .server, limits: WebSocketLimits(frame: 4, message: 4))
        let frames = Corpus.frame(0x01, "ab") + Corpus.frame(0x89, "12345") + Corpus.frame(0x80, "cd")
        #expect(decoder.events(of: frames) == [.ping(Array("12345".utf8)), .text("abcd")])
    }

    @Test func standardCeilingIsTwelveMegabytes() {
        let header: (UInt64) -> [UInt8] = { size in
            [0x82, 0xFF] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * UInt64($0))) } + Corpus.mask
        }
        #expect(server.events(of: header(12_000_000)).isEmpty)
        #expect(code(server.events(of: header(12_000_001))) == 1009)
    }

    @Test func saysNothingAfterTheEnd() {
        var decoder = server
        decoder.receive(Corpus.close(1000))
        #expect(decoder.next() != nil)
        decoder.receive(Corpus.frame(0x81, "late"))
        #expect(decoder.next() == nil)
        #expect(!decoder.isMidMessage)
    }

    @Test func knowsWhenItIsInTheMiddleOfAMessage() {
        var decoder = server
        #expect(!decoder.isMidMessage)
        for byte in (Corpus.frame(0x01, "a") + Corpus.frame(0x80, "b")).dropLast() {
            decoder.receive(CollectionOfOne(byte))
            #expect(decoder.next() == nil)
            #expect(decoder.isMidMessage)
        }
        decoder.receive([UInt8(ascii: "b") ^ Corpus.mask[0]])
        #expect(decoder.next() == .text("ab"))
        #expect(!decoder.isMidMessage)
    }

    @Test func takesBytesFromAPointer() {
        var decoder = server
        Corpus.frame(0x81, "a").withUnsafeBytes { decoder.receive($0) }
        #expect(decoder.next() == .text("a"))
    }

    @Test func everyCut() {
        for bytes in Corpus.accepted.map(\.bytes) + Corpus.refused.map(\.bytes) {
            let whole = server.events(of: bytes)
            for place in 0...bytes.count { #expect(server.events(of: bytes, cutAt: place) == whole) }
            #expect(server.eventsByteByByte(of: bytes) == whole)
        }
    }

    @Test func mutatedFrames() throws {
        var random = SeededGenerator(state: 20_261_123)
        let corpus = Corpus.accepted.map(\.bytes) + Corpus.refused.map(\.bytes)
        let small = WebSocketDecoder(role: .server, limits: WebSocketLimits(frame: 8, message: 12))
        for _ in 0..<6000 {
            let bytes = mutated(
                try #require(corpus.randomElement(using: &random)), palette: Corpus.palette, using: &random)
            for decoder in [server, small, WebSocketDecoder(role: .client)] {
                let whole = decoder.events(of: bytes)
                #expect(decoder.events(of: bytes, cutBy: &random) == whole, "\(bytes)")
            }
        }
    }
}
