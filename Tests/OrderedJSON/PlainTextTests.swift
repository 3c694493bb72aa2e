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
            }
        }
    }
}
