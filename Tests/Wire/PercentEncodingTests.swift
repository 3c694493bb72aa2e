import Testing
import Wire

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("claude%2Fmy%20proj", "claude/my proj"), ("%E2%82%AC", "€"), ("a%2fb", "a/b"),
        ("%25", "%"),
        ("%", nil), ("%2", nil), ("%zz", nil), ("%FF", nil), ("a%C3", nil), ("+", "+"),
    ])
    func isDecoded(text: String, decoded: String?) {
        #expect(PercentEncoding.decode(text) == decoded)
    }
}
