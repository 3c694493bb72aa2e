import Testing
import Wire

@Suite struct WebSocketFrameTests {
    /// The examples of RFC 6455 section 5.7.
    @Test func examplesOfTheSpecification() {
        #expect(WebSocketFrame.text("Hello") == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        #expect(
            WebSocketFrame.text("Hello", mask: 0x37FA_213D)
                == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(WebSocketFrame.ping(Array("Hello".utf8)) == [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        #expect(WebSocketFrame.binary([UInt8](repeating: 0, count: 256)).prefix(4) == [0x82, 0x7E, 0x01, 0x00])
        #expect(
            WebSocketFrame.binary([UInt8](repeating: 0, count: 65536)).prefix(10)
                == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 100_000])
    func whatIsWrittenIsRead(size: Int) {
        let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let text = String(repeating: "x", count: size)
        let sent = [
            WebSocketFrame.binary(payload, mask: 0x0102_0304), WebSocketFrame.text(text, mask: 0xFFFF_FFFF),
            WebSocketFrame.text(utf8: Array(text.utf8), mask: 0),
        ]
        #expect(WebSocketDecoder(role: .server).events(of: sent) == [.binary(payload), .text(text), .text(text)])
        #expect(WebSocketDecoder(role: .client).events(of: WebSocketFrame.binary(payload)) == [.binary(payload)])
    }

    @Test func controlFramesStayWithinTheirCeiling() {
        let long = [UInt8](repeating: 1, count: 200)
        let client = WebSocketDecoder(role: .client)
        #expect(client.events(of: WebSocketFrame.ping(long)) == [.ping([UInt8](repeating: 1, count: 125))])
        #expect(client.events(of: WebSocketFrame.pong(long)) == [.pong([UInt8](repeating: 1, count: 125))])
        let reason = String(repeating: "é", count: 100)
        let expected = WebSocketEvent.close(code: 1000, reason: String(repeating: "é", count: 61))
        #expect(client.events(of: WebSocketFrame.close(code: 1000, reason: reason)) == [expected])
    }

    @Test func closeWithoutACodeIsEmpty() {
        #expect(WebSocketFrame.close(code: nil, reason: "dropped") == [0x88, 0x00])
        #expect(WebSocketFrame.close(code: 1001) == [0x88, 0x02, 0x03, 0xE9])
    }
}
