/// The words that a shell makes of one with braces: `pus{h,}` becomes `push` and `pus`, `{p..p}ush` becomes `push`.
///
/// Nothing here calls itself: a word may have as many braces as a line has bytes.
struct BraceExpansion {
    /// The braces and commas of a word that stood outside quotes and outside `${…}`.
    struct Marks {
        fileprivate(set) var places: [Int] = []
        private var openExpansions = 0

        /// True once a brace was noted: commas count from then on.
        var isOpen: Bool { openExpansions > 0 || !places.isEmpty }

        /// Notes a byte that stands outside quotes.
        /// - Parameters:
        ///   - isExpansion: whether the byte is the brace of `${`.
        ///   - place: its place in the word after quote removal.
        mutating func note(_ byte: UInt8, isExpansion: Bool, at place: Int) {
            switch byte {
            case UInt8(ascii: "{") where isExpansion || openExpansions > 0: openExpansions += 1
            case UInt8(ascii: "}") where openExpansions > 0: openExpansions -= 1
            case _ where openExpansions > 0: break
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ","): places.append(place)
            default: break
            }
        }
    }

    /// A word that may still have braces, and their places.
    private struct Draft {
        let bytes: [UInt8]
        let places: [Int]
    }

    /// The alternatives between a brace and the one that closes it.
    private struct Group {
        let open: Int
        let close: Int
        let alternatives: [Draft]
    }

    /// The bytes of words that may still be made, those of intermediate ones included.
    private(set) var budget = 64 << 10

    /// The bytes that a word costs beside its own.
    private static let costOfWord = 16

    /// The words, in their order; nil where they are too many.
    mutating func words(of value: [UInt8], marks: Marks) -> [[UInt8]]? {
        var found: [[UInt8]] = []
        var open = [Draft(bytes: value, places: marks.places)]
        while let word = open.popLast() {
            guard word.places.count > 1, let group = Self.firstGroup(of: word, atMost: budget) else {
                found.append(word.bytes)
                continue
            }
            let rest = word.bytes[(group.close + 1)...]
            let cost = word.bytes.count - (group.close - group.open) + Self.costOfWord
            for alternative in group.alternatives.reversed() {
                budget -= cost + alternative.bytes.count
                guard budget > 0 else { return nil }
                let behind = group.open + alternative.bytes.count - group.close - 1
                open.append(
                    Draft(
                        bytes: word.bytes[..<group.open] + alternative.bytes + rest,
                        places: alternative.places.map { $0 + group.open }
                            + word.places.lazy.filter { $0 > group.close }.map { $0 + behind }))
            }
            guard budget > 0 else { return nil }
        }
        return found
    }

    /// The first braces with a comma or a range between them. Others are text.
    private static func firstGroup(of word: Draft, atMost most: Int) -> Group? {
        var open: [(place: Int, commas: [Int])] = []
        var first: (open: Int, close: Int, commas: [Int])?
        for place in word.places {
            switch word.bytes[place] {
            case UInt8(ascii: "{"): open.append((place, []))
            case UInt8(ascii: ","): if !open.isEmpty { open[open.count - 1].commas.append(place) }
            default:
                guard let (start, commas) = open.popLast() else { continue }
                let isGroup = !commas.isEmpty || hasRange(word.bytes[(start + 1)..<place])
                if isGroup, first.map({ start < $0.open }) ?? true { first = (start, place, commas) }
            }
        }
        guard let first else { return nil }
        guard !first.commas.isEmpty else {
            let texts = range(word.bytes[(first.open + 1)..<first.close], atMost: most)
            return Group(open: first.open, close: first.close, alternatives: texts.map { Draft(bytes: $0, places: []) })
        }
        let ends = first.commas + [first.close]
        let alternatives = zip([first.open] + first.commas, ends).map { before, end in
            Draft(
                bytes: Array(word.bytes[(before + 1)..<end]),
                places: word.places.filter { $0 > before && $0 < end }.map { $0 - before - 1 })
        }
        return Group(open: first.open, close: first.close, alternatives: alternatives)
    }

    // MARK: - Ranges

    private static func hasRange(_ text: ArraySlice<UInt8>) -> Bool {
        text.count < 64 && bounds(text) != nil
    }

    /// Returns the parts between pairs of dots.
    private static func parts(of text: ArraySlice<UInt8>) -> [String] {
        var parts: [[UInt8]] = [[]]
        var rest = text
        while let next = rest.popFirst() {
            if next == UInt8(ascii: "."), rest.first == next {
                rest.removeFirst()
                parts.append([])
            } else {
                parts[parts.count - 1].append(next)
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func bounds(_ text: ArraySlice<UInt8>) -> (from: Int, to: Int, step: Int, isLetter: Bool)? {
        let parts = parts(of: text)
        guard parts.count == 2 || parts.count == 3, let step = parts.count == 3 ? Int(parts[2]) : 1 else { return nil }
        if let from = Int(parts[0]), let to = Int(parts[1]) { return (from, to, step, false) }
        let letters = parts.prefix(2).filter { $0.utf8.count == 1 }.compactMap(\.utf8.first)
        guard letters.count == 2, letters.allSatisfy(ShellCharacters.isLetter) else { return nil }
        return (Int(letters[0]), Int(letters[1]), step, true)
    }

    /// The members of a range; as many as cost more than `most` where there are too many.
    private static func range(_ text: ArraySlice<UInt8>, atMost most: Int) -> [[UInt8]] {
        guard let (from, to, step, isLetter) = bounds(text) else { return [] }
        let size = max(1, step.magnitude)
        var members: [[UInt8]] = []
        var next = from
        let digits = width(of: text)
        while from <= to ? next <= to : next >= to, members.count * costOfWord <= most {
            members.append(isLetter ? [UInt8(next)] : padded(next, to: digits))
            let (sum, isOver) =
                from <= to
                ? next.addingReportingOverflow(Int(clamping: size))
                : next.subtractingReportingOverflow(Int(clamping: size))
            if isOver { break }
            next = sum
        }
        return members
    }

    /// The width to which numbers are filled with zeros: that of the longer bound where one begins with a zero.
    private static func width(of text: ArraySlice<UInt8>) -> Int {
        let bounds = parts(of: text).prefix(2)
        let isFilled = bounds.contains { bound in
            let digits = bound.drop { $0 == "-" }
            return digits.count > 1 && digits.first == "0"
        }
        return isFilled ? bounds.map(\.utf8.count).max() ?? 0 : 0
    }

    private static func padded(_ number: Int, to width: Int) -> [UInt8] {
        let digits = Array(String(number.magnitude).utf8)
        let sign = number < 0 ? [UInt8(ascii: "-")] : []
        let zeros = max(0, width - sign.count - digits.count)
        return sign + [UInt8](repeating: UInt8(ascii: "0"), count: zeros) + digits
    }
}
