import Commands
import Testing

@Suite struct NearestTests {
    private static let words = ["allow", "deny", "devices", "pending", "rules", "status", "--follow", "--json"]

    @Test(arguments: [
        ("stauts", "status"), ("alow", "allow"), ("pendng", "pending"), ("device", "devices"), ("--jsn", "--json"),
        ("pend", "pending"), ("--fol", "--follow"), ("frobnicate", nil), ("", nil), ("x", nil),
    ])
    func theWordThatWasMeant(_ typed: String, _ word: String?) {
        #expect(Nearest.word(typed, among: Self.words) == word)
    }
}
