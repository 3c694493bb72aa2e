import Testing
import Wire

@Suite struct HTTPHeadersTests {
    private let headers: HTTPHeaders = [
        "Accept": "a", "X-List": "one, two ,,", "accept": "b", "x-list": "Three", "Empty": "",
    ]

    @Test func findsTheFirstValueWhateverTheCase() {
        #expect(headers["ACCEPT"] == "a")
        #expect(headers["empty"] == "")
        #expect(headers["accep"] == nil)
        #expect(headers["acceptt"] == nil)
        #expect(headers.values("accept") == ["a", "b"])
    }

    @Test func joinsListsOverSeveralFields() {
        #expect(headers.list("x-list") == ["one", "two", "Three"])
        #expect(headers.contains("TWO", in: "X-List"))
        #expect(headers.contains("three", in: "X-List"))
        #expect(!headers.contains("tw", in: "X-List"))
        #expect(headers.list("empty").isEmpty)
    }

    @Test func keepsOrderAndSpelling() {
        #expect(headers.map(\.name) == ["Accept", "X-List", "accept", "x-list", "Empty"])
        #expect(headers.count == 5)
        #expect(!headers.isEmpty)
    }

    @Test func equalityIgnoresTheCaseOfNamesOnly() {
        #expect(["A": "x"] as HTTPHeaders == ["a": "x"])
        #expect(["A": "x"] as HTTPHeaders != ["A": "X"])
        #expect(["A": "x", "B": "y"] as HTTPHeaders != ["B": "y", "A": "x"])
        #expect(["A": "x"] as HTTPHeaders != ["A": "x", "B": "y"])
    }
}
