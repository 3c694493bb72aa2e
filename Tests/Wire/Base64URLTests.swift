import Testing
import Wire

@Suite struct Base64URLTests {
    @Test(
        arguments: [
            ([], ""), ([0xFB], "-w"), ([0xFB, 0xFF], "-_8"), ([0xFB, 0xFF, 0xFE], "-__-"), ([1, 2, 3, 4], "AQIDBA"),
        ] as [([UInt8], String)])
    func bothWays(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text && Base64URL.decode(text) == bytes)
    }

    @Test(arguments: [("+w==", [0xFB]), ("+/8=", [0xFB, 0xFF]), ("AQIDBA==", [1, 2, 3, 4])] as [(String, [UInt8])])
    func takesTheOtherSpellings(text: String, bytes: [UInt8]) {
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(arguments: ["A", "AQIDB", "-w=", "=", "====", "A A", "-x", "AQ\n", "-w==="])
    func refusesTheRest(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
