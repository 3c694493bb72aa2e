import Commands
import Testing

@Suite struct ShortIDTests {
    private static let ids = ["r_abcdefgh1", "r_abcdefgh2", "r_zzzzzzzzz", "0123456789ab"]

    @Test(arguments: [
        ("r_zzzzzzzzz", "r_zzzzzz"), ("r_abcdefgh1", "r_abcdefgh1"), ("0123456789ab", "012345"), ("r_ab", "r_ab"),
    ])
    func shownAsFarAsItIsUnique(_ id: String, _ text: String) {
        #expect(ShortID.text(id, among: Self.ids) == text)
    }

    private func find(_ typed: String) throws(CommandFailure) -> String? {
        try ShortID.find(typed, among: Self.ids.map { ($0, "about \($0.suffix(1))") }, "things")
    }

    @Test(arguments: [
        ("r_z", "r_zzzzzzzzz"), ("zz", "r_zzzzzzzzz"), ("0123", "0123456789ab"), ("r_abcdefgh1", "r_abcdefgh1"),
        ("nothing", nil),
    ])
    func foundByItsBeginning(_ typed: String, _ id: String?) throws {
        #expect(try find(typed) == id)
    }

    @Test func anAmbiguousBeginningIsRefusedWithTheCandidates() {
        #expect {
            try find("abcd")
        } throws: { error in
            let failure = error as? CommandFailure
            return failure?.status == .usage
                && failure?.message
                    == "abcd could be any of 2 things: r_abcdefgh1 (about 1), r_abcdefgh2 (about 2); give more of the id"
        }
        #expect(throws: CommandFailure.self) { try find("") }
    }
}
