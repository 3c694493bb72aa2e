import OrderedJSON
import Testing

@Suite("Random bytes")
struct MutationTests {
    private static let seeds = [
        #"{"session_id":"ee2e","tool_input":{"command":"echo \"hi\" && ls","n":[1,-2.50,3e+7]},"x":null,"y":[true,false]}"#,
        #"[{"a":"\ud83d\ude00é€😀","b":{"c":[[],{}, " "]}},12345678901234567890, -0 , "\u0000\\"]"#,
    ]

    @Test("never trap, and what is accepted comes back the same", arguments: seeds)
    func mutations(seed: String) throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<20_000 {
            var bytes = Array(seed.utf8)
            for _ in 0...Int.random(in: 0...3, using: &random) { bytes.mutate(using: &random) }
            guard let value = try? JSON(parsing: bytes) else { continue }
            #expect(try JSON(parsing: value.serialized()) == value)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func mutate(using random: inout SeededRandom) {
        guard !isEmpty else { return append(.random(in: 0...255, using: &random)) }
        let place = Int.random(in: 0..<count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: self[place] = .random(in: 0...255, using: &random)
        case 1: insert(Array("{}[]\",:\\ue0-.".utf8).randomElement(using: &random) ?? 0, at: place)
        case 2: remove(at: place)
        case 3: removeLast(count - place)
        default: append(contentsOf: self[place...])
        }
    }
}
