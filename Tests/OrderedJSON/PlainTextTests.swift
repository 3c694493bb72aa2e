import OrderedJSON
import Testing

struct PlainTextTests {
    @Test func readsAndWritesEveryByteAtEveryPlace() throws {
        for scalar in (0...0x17F).compactMap(Unicode.Scalar.init) {
            for place in 0..<17 {
                let text =
                    String(repeating: "x", count: place) + String(scalar) + String(repeating: "y", count: 17 - place)
                let written = JSON.string(text).serialized()
                #expect(try JSON(parsing: Array(written.utf8)).stringValue == text)
                #expect(!written.utf8.contains { $0 < 0x20 })
            }
        }
    }

    /// Tests the parser alone: the writer shares its scan, so a round trip does not notice a byte that both miss.
    @Test func refusesEveryControlCharacterAtEveryPlace() {
        for control: UInt8 in 0..<0x20 {
            for place in 0..<17 {
                var text = Array("\"\(String(repeating: "\u{20}\u{7F}x", count: 6))\"".utf8)
                text.insert(control, at: place + 1)
                #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
            }
        }
    }
}
