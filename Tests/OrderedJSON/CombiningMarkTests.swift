import OrderedJSON
import Testing

/// Swift normalises combining marks before it compares or hashes a text, which takes hours for a million marks in a
/// row. Text from a model or a peer is compared and hashed by its bytes.
@Suite(.timeLimit(.minutes(1))) struct CombiningMarkTests {
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 300_000)
    private static let one = marks + "\u{301}"
    private static let other = marks + "\u{300}"

    @Test(arguments: [2, 20])
    func namesAreToldApart(count: Int) throws {
        let members = (0..<count).map { number in
            "\"\(number == 0 ? Self.one : Self.other + String(number))\":\(number)"
        }
        let json = try JSON(parsing: Array("{\(members.joined(separator: ","))}".utf8))
        #expect(json.objectValue?.keys.count == count)
        #expect(json[Self.one]?.intValue == 0)
        #expect(json[Self.other] == nil)
    }

    @Test func valuesAreToldApart() {
        #expect(JSON.string(Self.one) != .string(Self.other))
        #expect(Set([JSON.string(Self.one), .string(Self.other), .string(Self.one)]).count == 2)
        #expect(JSON.object([Self.one: 1]).hashValue == JSON.object([Self.one: 1]).hashValue)
    }

    @Test func whatLooksAlikeIsNotTheSame() {
        #expect(!"\u{e9}".hasSameBytes(as: "e\u{301}"))
        #expect(ExactString("K") != ExactString("\u{212A}"))
        #expect(Set([ExactString("\u{e9}"), ExactString("e\u{301}")]).count == 2)
    }
}
