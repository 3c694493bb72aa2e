import OrderedJSON
import Testing

/// The memory of a stored value is bounded by the bytes of its text, whatever its structure.
@Suite struct KeptJSONTests {
    private static let small: [JSON] = [.null, true, 1.50, "x", [], [:], ["b": [1, nil], "a": ["k": "é\n"]]]
    private static let large: [JSON] = [
        .array(Array(repeating: [], count: 100_000)), .string(String(repeating: "\u{1}é", count: 50_000)),
        .object(JSONObject((0..<20_000).map { ("\($0)", [[]]) })),
        ["content": .string(String(repeating: "x", count: 9000))],
    ]

    private static let all = small + large

    /// By index, as below: a test's arguments are printed.
    @Test(arguments: all.indices) func givesBackWhatItWasGiven(_ index: Int) {
        let value = Self.all[index]
        let kept = KeptJSON(value)
        #expect(kept.value == value)
        #expect(kept.text == value.serialized())
        #expect(kept == KeptJSON(written: value.serialized()) && KeptJSON(written: value.serialized()) == kept)
        #expect(kept.hashValue == KeptJSON(written: value.serialized()).hashValue)
        #expect(kept.bytesElsewhere == nil)
    }

    @Test(arguments: large.indices) func ofALargeValueTheTextIsKept(_ index: Int) {
        let value = Self.large[index]
        #expect(KeptJSON(value).size == value.serialized().utf8.count)
    }

    @Test func aSmallOneTakesAFewKilobytesAtMost() {
        #expect(KeptJSON(["command": .string(String(repeating: "x", count: 4000))]).size <= 4096)
    }

    @Test func whatIsWrittenOtherwiseIsAnother() {
        #expect(KeptJSON(["a": 1, "b": 2]) != KeptJSON(["b": 2, "a": 1]))
        #expect(KeptJSON(1.0) != KeptJSON(1))
    }

    @Test func whatIsElsewhereIsNothingAndEqualsNothing() {
        let kept = KeptJSON(elsewhere: 9_000_000)
        #expect(kept.value == .null && kept.bytesElsewhere == 9_000_000 && kept.size == 0)
        #expect(kept != KeptJSON(.null) && KeptJSON(.null) != kept && kept == KeptJSON(elsewhere: 9_000_000))
    }
}
