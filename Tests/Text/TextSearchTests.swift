import Testing
import Text

struct TextSearchTests {
    @Test(arguments: [
        ("https://host", "://", 5), ("://", "://", 0), (":/:://", "://", 3), ("a:/", "://", nil), ("", "://", nil),
        ("aab", "ab", 1), ("ünï://x", "://", 5), ("a", "", 0), ("", "", 0), ("mcp__a__b", "__", 3), ("__", "___", nil),
    ])
    func findsTheFirstPlace(text: String, sought: String, place: Int?) {
        let found = text.firstPlace(of: sought)
        #expect(found.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == place)
        #expect(found.map { String(text[$0]) } ?? sought == sought)
        #expect(text.holds(sought) == (place != nil))
        #expect(Array(text.utf8).firstPlace(of: Array(sought.utf8))?.lowerBound == place)
    }

    @Test func findsItInAPartOfAText() {
        let name = "mcp__server__tool"
        #expect(name.dropFirst(5).firstPlace(of: "__").map { name[$0.upperBound...] } == "tool")
    }
}
