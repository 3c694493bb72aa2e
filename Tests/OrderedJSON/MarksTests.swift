import OrderedJSON
import TestSupport
import Testing

@Suite struct MarksTests {
    private static let many = String(repeating: "\u{0315}\u{0300}", count: 20)

    @Test func aLetterKeepsSomeMarks() {
        #expect(
            ("a" + Self.many + "b").cuttingMarks() == "a"
                + Self.many.unicodeScalars.prefix(32).map(String.init).joined() + "b")
        for text in ["", "a\u{0301}", "한국어 中文", String(repeating: "e\u{0301}", count: 100), "👩‍👩‍👧"] {
            #expect(!text.hasManyMarks && text.cuttingMarks().hasSameBytes(as: text), "\(text)")
        }
    }

    @Test func valuesAndKeysAtAnyDepthAreCut() {
        let value: JSON = ["x": [1, ["a" + Self.many: "b"], .string("c" + Self.many)], "y": "d"]
        let cut = value.cuttingMarks()
        #expect(value.hasManyMarks && !cut.hasManyMarks && cut["y"] == "d" && cut["x"]?.arrayValue?.count == 3)
        #expect(cut["x"]?.arrayValue?[1].objectValue?.keys.first?.unicodeScalars.count == 33)
        #expect(!(["x": [1, "a\u{0301}"]] as JSON).hasManyMarks)
    }

    /// Sorting them takes a thousand times as long for thirty times as many.
    @Test func manyMarksTakeLinearTime() {
        func seconds(_ count: Int) -> Double {
            let text = "a" + String(repeating: "\u{0315}\u{0300}", count: count)
            return ProcessorTime.of { #expect(text.cuttingMarks().unicodeScalars.count == 33) }
        }
        let few = seconds(3_000)
        #expect(seconds(90_000) < 150 * few)
    }
}
