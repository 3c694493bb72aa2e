import Crypto
import Testing

struct DigestTests {
    @Test func digestsAreThoseOfTheStandard() {
        // FIPS 180-2, appendix B.1.
        let expected: [UInt8] = [0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA]
        #expect(Array(Digest.sha256(Array("abc".utf8)).prefix(8)) == expected)
        #expect(Digest.sha256([]).count == 32)
    }
}
