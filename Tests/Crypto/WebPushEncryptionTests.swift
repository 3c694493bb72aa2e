import Crypto
import Testing

/// Compares with the test vectors of the standards. In the end-to-end tests another implementation decrypts the
/// messages of a running daemon.
@Suite struct WebPushEncryptionTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).map { start in
            let first = digits.index(digits.startIndex, offsetBy: start)
            return UInt8(digits[first...digits.index(after: first)], radix: 16) ?? 0
        }
    }

    /// RFC 8291, appendix A.
    private static let receiver = P256Key(
        privateBytes: bytes("ab5757a70dd4a53e553a6bbf71ffefea2874ec07a6b379e3c48f895a02dc33de"))
    private static let sender = P256Key(
        privateBytes: bytes("c9f58f89813e9f8e872e71f42aa64e1757c9254dcc62b72ddc010bb4043ea11c"))
    private static let authentication = bytes("05305932a1c7eabe13b6cec9fda48882")
    private static let salt = bytes("0c6bfaadad67958803092d454676f397")

    @Test func writesTheMessageOfTheStandard() throws {
        let receiver = try #require(Self.receiver)
        let sender = try #require(Self.sender)
        let body = WebPushEncryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), for: receiver.publicBytes,
            authentication: Self.authentication, sender: sender, salt: Self.salt)
        let expected = Self.bytes(
            """
            0c6bfaadad67958803092d454676f397000010004104fe33f4ab0dea71914db55823f73b54948f41306d920732dbb9a59a53
            286482200e597a7b7bc260ba1c227998580992e93973002f3012a28ae8f06bbb78e5ec0ff297de5b429bba7153d3a4ae0caa
            091fd425f3b4b5414add8ab37a19c1bbb05cf5cb5b2a2e0562d558635641ec52812c6c8ff42e95ccb86be7cd
            """)
        #expect(body == expected)
    }

    @Test func eachMessageHasAKeyAndASaltOfItsOwn() throws {
        let receiver = try #require(Self.receiver)
        let messages = (0..<2).compactMap { _ in
            WebPushEncryption.encrypt([1], for: receiver.publicBytes, authentication: Self.authentication)
        }
        #expect(messages.count == 2 && messages[0].prefix(16) != messages[1].prefix(16))
        #expect(messages.count == 2 && messages[0][21..<86] != messages[1][21..<86])
    }

    @Test func refusesWhatCannotBeEncryptedFor() throws {
        let good = try #require(Self.receiver).publicBytes
        var bent = good
        bent[64] ^= 1
        let text = [UInt8](repeating: 7, count: WebPushEncryption.longestText)
        #expect(WebPushEncryption.encrypt(text, for: good, authentication: Self.authentication)?.count == 4096)
        #expect(WebPushEncryption.encrypt(text + [7], for: good, authentication: Self.authentication) == nil)
        #expect(WebPushEncryption.encrypt([1], for: bent, authentication: Self.authentication) == nil)
        #expect(WebPushEncryption.encrypt([1], for: [], authentication: Self.authentication) == nil)
        #expect(WebPushEncryption.encrypt([1], for: good, authentication: [1]) == nil)
        #expect(P256Key.isPoint(good) && !P256Key.isPoint(bent) && !P256Key.isPoint([UInt8](repeating: 0, count: 65)))
    }

    @Test func aScalarIsBetweenOneAndTheOrder() {
        #expect(P256Key(privateBytes: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256Key(privateBytes: [UInt8](repeating: 255, count: 32)) == nil)
        #expect(P256Key(privateBytes: [1]) == nil)
        #expect(P256Key.generate().privateBytes.count == 32)
    }

    /// RFC 4231 test case 2, RFC 5869 test case 1 (its first 32 bytes).
    @Test func derivesAsTheStandardsDo() {
        #expect(
            KeyDerivation.hmacSHA256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
                == Self.bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        let key = KeyDerivation.hkdfSHA256(
            secret: [UInt8](repeating: 0x0B, count: 22), salt: Self.bytes("000102030405060708090a0b0c"),
            info: Self.bytes("f0f1f2f3f4f5f6f7f8f9"), length: 32)
        #expect(key == Self.bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
    }
}
