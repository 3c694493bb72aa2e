import Testing
import Wire

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func examplesOfTheSpecification(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
        #expect(Base64.encodeForURL(Array(plain.utf8)) == encoded.filter { $0 != "=" })
    }

    @Test func everyByteComesBack() {
        let bytes = Array(0...255 as ClosedRange<UInt8>)
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        #expect(Base64.decodeEither(Base64.encodeForURL(bytes)) == bytes)
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=" && Base64.encodeForURL([0xFB, 0xFF]) == "-_8")
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "====", "Z===", "Zg==Zg==", "Zm9v\n", "Z-9v", "Zm9=", " Zg="])
    func refuses(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(
        arguments: [("+w==", [0xFB]), ("+/8=", [0xFB, 0xFF]), ("-_8", [0xFB, 0xFF]), ("AQIDBA==", [1, 2, 3, 4])]
            as [(String, [UInt8])])
    func takesEitherSpelling(text: String, bytes: [UInt8]) {
        #expect(Base64.decodeEither(text) == bytes)
    }

    @Test(arguments: ["A", "AQIDB", "-w=", "=", "====", "A A", "-x", "AQ\n", "-w==="])
    func refusesTheRest(text: String) {
        #expect(Base64.decodeEither(text) == nil)
    }
}
