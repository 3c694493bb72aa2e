import Core
import Testing

@Suite struct GitPathTests {
    static let forms: [(bytes: [UInt8], text: String)] = [
        (Array("src/app.ts".utf8), "src/app.ts"), (Array("a\nb".utf8), "a\nb"), (Array("-f".utf8), "-f"),
        (Array("Käse".utf8), "Käse"), ([0x63, 0xE9], #""c\351""#), (Array("\"a\"".utf8), #""\"a\"""#),
        ([0x22, 0x0A, 0xFF, 0x5C], #""\"\n\377\\""#), (Array("a\\b".utf8), "a\\b"),
        (Array(":(glob)*".utf8), ":(glob)*"),
    ]

    @Test(arguments: forms.indices) func everyPathTravelsAsText(index: Int) {
        let (bytes, text) = Self.forms[index]
        #expect(GitPath(bytes).text == text)
        #expect(GitPath(text: text)?.bytes == bytes)
    }

    @Test func anyBytesComeBack() {
        for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
            for bytes in [[byte], [0x22, byte], [0xFF, byte, 0x37]] {
                #expect(GitPath(text: GitPath(bytes).text)?.bytes == bytes)
            }
        }
    }

    @Test(arguments: [
        "", "/etc/passwd", "..", "../a", "a/../../b", "a/..", #"""#, #""a"#, #""\q""#, #""\400""#, #""\38""#, #""a"b"#,
        #""\57etc""#, #""..""#, "a\0b", #""a\000b""#,
    ])
    func noPathLeadsOut(text: String) {
        #expect(GitPath(text: text) == nil)
    }

    @Test func knowsSensitiveNames() {
        #expect(GitPath(text: ".env")?.isSensitive == true)
        #expect(GitPath(text: "a/.SSH/b")?.isSensitive == true)
        #expect(GitPath(text: "src/app.ts")?.isSensitive == false)
    }
}
