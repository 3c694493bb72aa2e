import Text

extension Timestamp {
    /// Parses RFC 3339 section 5.6, with any offset; digits beyond milliseconds are dropped. Nil for any other text.
    package init?(rfc3339 text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("Tt "), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), reader.skip(":"), let second = reader.number(2),
            let fraction = reader.milliseconds(), let offset = reader.offsetMinutes(), reader.rest.isEmpty,
            (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let minutes = (Self.daysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute - offset
        self.init(milliseconds: (minutes * 60 + second) * 1000 + fraction)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Years are counted from March, so that the leap day is the last of its year.
    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func number(_ digits: Int) -> Int64? {
        guard rest.count >= digits else { return nil }
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func digit() -> Int64? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func skip(_ choices: StaticString) -> Bool {
        guard let byte = rest.first, choices.withUTF8Buffer({ $0.contains(byte) }) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func milliseconds() -> Int64? {
        guard skip(".") else { return 0 }
        guard var value = digit() else { return nil }
        var places = 1
        while let next = digit() {
            if places < 3 { value = value * 10 + next }
            places += 1
        }
        while places < 3 {
            value *= 10
            places += 1
        }
        return value
    }

    mutating func offsetMinutes() -> Int64? {
        if skip("Zz") { return 0 }
        let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
        guard skip("+-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else {
            return nil
        }
        return sign * (hours * 60 + minutes)
    }
}
