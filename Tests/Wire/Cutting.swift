/// A codec for the tests: it takes bytes and returns events.
protocol Codec {
    associatedtype Event: Equatable & Sendable
    mutating func receive(_ bytes: some Collection<UInt8>)
    mutating func next() -> Event?
}

extension Codec {
    /// The events of `pieces`, requested after each piece, as a connection does.
    func events(of pieces: some Sequence<some Collection<UInt8>>) -> [Event] {
        var codec = self
        var events: [Event] = []
        for piece in pieces {
            codec.receive(piece)
            while let event = codec.next() { events.append(event) }
        }
        return events
    }

    func events(of bytes: [UInt8]) -> [Event] { events(of: [bytes]) }

    func eventsByteByByte(of bytes: [UInt8]) -> [Event] { events(of: bytes.lazy.map { CollectionOfOne($0) }) }

    func events(of bytes: [UInt8], cutAt place: Int) -> [Event] { events(of: [bytes[..<place], bytes[place...]]) }

    /// The events of `bytes` in pieces of 1 to 16 bytes.
    func events(of bytes: [UInt8], cutBy random: inout SeededGenerator) -> [Event] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(rest.prefix(Int.random(in: 1...16, using: &random)))
            rest = rest.dropFirst(pieces[pieces.count - 1].count)
        }
        return events(of: pieces)
    }
}

/// SplitMix64, which gives the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// `bytes` with one to four positions changed, doubled, dropped or replaced from `palette`.
func mutated(_ bytes: [UInt8], palette: [[UInt8]], using random: inout SeededGenerator) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...result.count, using: &random)
        let end = min(result.count, place + Int.random(in: 0...6, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: result.insert(contentsOf: palette.randomElement(using: &random) ?? [], at: place)
        case 1: result.removeSubrange(place..<end)
        case 2: result.insert(contentsOf: result[place..<end], at: place)
        case 3: result.replaceSubrange(place..<end, with: palette.randomElement(using: &random) ?? [])
        default: if place < result.count { result[place] = UInt8.random(in: 0...255, using: &random) }
        }
    }
    return result
}
