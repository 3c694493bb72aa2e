import Foundation
import Testing

/// Each row of the tables that promise something, and the tests that show it: `Tests/promises.json` names them by the row's
/// first cell, as `FILE::TEST` from `Tests/`.
@Suite struct PromiseTests {
    static let map = "Tests/promises.json"

    private func promises() throws -> [String: [String: [String]]] {
        try JSONDecoder().decode(
            [String: [String: [String]]].self,
            from: Data(contentsOf: URL(fileURLWithPath: Repository.root + "/" + Self.map)))
    }

    @Test(arguments: [("README.md", "what happens"), ("docs/threat-model.md", "attack")])
    func everyRowIsShownByTests(page: String, head: String) throws {
        let rows = try Markdown.table(in: page, headed: head).map { $0[0].text }
        let shown = try #require(try promises()[page])
        for row in rows where shown[row]?.isEmpty != false {
            Issue.record(
                """
                \(page) promises something that no test shows: "\(row)". Name the tests that do, under this very text, in \
                \(Self.map), or write one; a promise that cannot be shown does not belong there
                """)
        }
        for row in shown.keys.sorted() where !rows.contains(row) {
            Issue.record("\(Self.map) has a row that \(page) no longer has, or has in other words: \"\(row)\"")
        }
    }

    @Test func everyNamedTestIsThere() throws {
        let tests = Set(try promises().values.flatMap(\.values).joined())
        #expect(tests.count > 50)
        for test in tests.sorted() where try !isThere(test) {
            Issue.record(
                "\(Self.map) names a test that is gone or was renamed: \(test). Name the one that shows the same now")
        }
    }

    /// Whether the file has a function of this name that a test run takes for a test.
    private func isThere(_ test: String) throws -> Bool {
        let parts = test.split(separator: ":").map(String.init)
        guard parts.count == 2, let text = try? Repository.text("Tests/" + parts[0]) else { return false }
        guard parts[0].hasSuffix(".swift") else { return text.contains("\ndef \(parts[1])(") }
        guard let name = text.firstRange(of: " func \(parts[1])(") else { return false }
        let before = text[..<name.lowerBound]
        guard let mark = before.ranges(of: "@Test").last else { return false }
        // The attribute is this function's own: none stands in between.
        return !before[mark.upperBound...].contains("func ")
    }
}
