extension Timestamp {
    /// `2026-11-20T10:30:00Z`: RFC 3339, UTC, whole seconds, as every time on the wire.
    package var rfc3339: String {
        let seconds = floorDivide(milliseconds, 1000)
        let days = floorDivide(seconds, 86_400)
        let clock = seconds - days * 86_400
        let date = CivilDate(daysSinceEpoch: days)
        // Written with every event and every log line, so the bytes are appended to one buffer instead of joining nine
        // strings.
        var text: [UInt8] = []
        text.reserveCapacity(20)
        append(date.year, 4, "-", to: &text)
        append(date.month, 2, "-", to: &text)
        append(date.day, 2, "T", to: &text)
        append(clock / 3600, 2, ":", to: &text)
        append(clock / 60 % 60, 2, ":", to: &text)
        append(clock % 60, 2, "Z", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// `2026-11-20T10:30:00.250Z`: the same with milliseconds, for clients that read times so.
    package var rfc3339WithMilliseconds: String {
        let fraction = milliseconds - floorDivide(milliseconds, 1000) * 1000
        let digits = String(1000 + fraction).dropFirst()
        return "\(rfc3339.dropLast()).\(digits)Z"
    }
}

/// A day of the proleptic Gregorian calendar, counted in years that begin in March, so that the leap day comes last.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    init(daysSinceEpoch: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
}

/// Appends at least `width` digits and the separator.
private func append(_ value: Int64, _ width: Int, _ end: Unicode.Scalar, to text: inout [UInt8]) {
    guard value >= 0, value < (width == 2 ? 100 : 10_000) else {
        text.append(contentsOf: String(value).utf8)
        text.append(UInt8(ascii: end))
        return
    }
    var unit: Int64 = width == 2 ? 10 : 1000
    while unit > 0 {
        text.append(UInt8(ascii: "0") + UInt8(value / unit % 10))
        unit /= 10
    }
    text.append(UInt8(ascii: end))
}
