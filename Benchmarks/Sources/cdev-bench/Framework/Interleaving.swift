/// One of the things that are compared.
struct Variant {
    let label: String
    /// One sample; nil where this one does not count (a warm-up of its own).
    let sample: () throws -> Nanoseconds

    init(_ label: String, _ sample: @escaping () throws -> Nanoseconds) {
        self.label = label
        self.sample = sample
    }
}

/// Measures side by side: every round takes one sample of each, beginning with another one each time, so that what
/// else the machine does hits all alike. One round before is not counted.
enum Interleaving {
    static func run(rounds: Int, _ variants: [Variant]) throws -> [Samples] {
        var samples = [Samples](repeating: Samples(), count: variants.count)
        for round in -1..<rounds {
            for step in variants.indices {
                let index = (step + round + 1) % variants.count
                let time = try variants[index].sample()
                if round >= 0 { samples[index].add(nanoseconds: time) }
            }
        }
        return samples
    }
}

extension Interleaving {
    /// The same for what measures itself: each gives one value.
    static func rates(rounds: Int, _ variants: [() throws -> Double]) throws -> [Samples] {
        var samples = [Samples](repeating: Samples(), count: variants.count)
        for round in 0..<rounds {
            for step in variants.indices {
                let index = (step + round) % variants.count
                samples[index].add(try variants[index]())
            }
        }
        return samples
    }
}
