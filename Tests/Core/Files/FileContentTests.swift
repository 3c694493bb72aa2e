import Core
import Testing

@Suite struct FileContentTests {
    private func content(_ text: String, size: Int? = nil) -> FileContent {
        FileContent(Array(text.utf8), size: Int64(size ?? text.utf8.count))
    }

    @Test func aWholeTextIsNotTruncated() {
        let whole = content("grün")
        #expect(!whole.isBinary && !whole.isTruncated && whole.bytes.count == 5)
        #expect(content("").isTruncated == false)
    }

    /// Cut at each byte, it never ends within a character.
    @Test(arguments: ["aä€😀", "😀", "ä", "日本語"]) func aTextIsCutBetweenCharacters(text: String) {
        let bytes = Array(text.utf8)
        for count in 0...bytes.count {
            for cut in [
                FileContent(Array(bytes.prefix(count)), size: Int64(bytes.count)), content(text).shortened(to: count),
            ] {
                let kept = String(validating: cut.bytes, as: UTF8.self)
                #expect(!cut.isBinary && kept.map(text.hasPrefix) == true && cut.bytes.count > count - 4)
                #expect(cut.isTruncated == (cut.bytes.count < bytes.count))
            }
        }
    }

    @Test func whatIsNoTextIsBinary() {
        #expect(FileContent([0x61, 0, 0x62], size: 3).isBinary)
        #expect(FileContent([0xFF, 0xFE], size: 2).isBinary)
        // Half a character at the end of the file itself is no text either.
        #expect(FileContent([0x61, 0xC3], size: 2).isBinary)
        let binary = FileContent([0xFF, 1, 2, 3], size: 4)
        #expect(binary.shortened(to: 2).bytes == [0xFF, 1] && binary.shortened(to: 2).isTruncated)
    }
}
