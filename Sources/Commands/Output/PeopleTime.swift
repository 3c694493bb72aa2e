package import Core
import Glibc
import OrderedJSON
import Platform

/// Times as people read them: in their time zone, and only the parts that differ from now.
package enum PeopleTime {
    static var now: Timestamp { Timestamp(milliseconds: SystemTime.wall) }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `14:03:22` today, `Fri 20 Nov 14:03` in this year, else `20 Nov 2025 14:03`.
    package static func clock(_ time: Timestamp, now: Timestamp) -> String {
        let (then, today) = (local(time), local(now))
        let hours = "\(two(then.tm_hour)):\(two(then.tm_min))"
        if then.tm_year == today.tm_year, then.tm_yday == today.tm_yday { return "\(hours):\(two(then.tm_sec))" }
        let date = "\(then.tm_mday) \(months[Int(then.tm_mon)])"
        if then.tm_year == today.tm_year { return "\(days[Int(then.tm_wday)]) \(date) \(hours)" }
        return "\(date) \(1900 + then.tm_year) \(hours)"
    }

    /// `58 s left`, `12 min left`, `3 h left`; `no time left` at the deadline.
    package static func left(until deadline: Timestamp, now: Timestamp) -> String {
        let seconds = Int(deadline.seconds(since: now).rounded(.up))
        guard seconds > 0 else { return "no time left" }
        return "\(span(seconds)) left"
    }

    /// `just now`, `12 s ago`, `5 min ago`, `3 days ago`.
    package static func ago(_ time: Timestamp, now: Timestamp) -> String {
        let seconds = Int(now.seconds(since: time))
        return seconds < moment ? "just now" : "\(span(seconds)) ago"
    }

    /// Seconds that nobody counts.
    private static let moment = 5

    /// A whole number of the largest unit of which there are two or more.
    package static func span(_ seconds: Int) -> String {
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7200 { return "\(seconds / 60) min" }
        return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86_400) days"
    }

    private static func local(_ time: Timestamp) -> tm {
        var seconds = time_t(time.milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension JSON {
    /// The member's time for people; its text if that is no time.
    func clock(_ key: String) -> String {
        let text = text(key)
        return Timestamp(rfc3339: text).map { PeopleTime.clock($0, now: PeopleTime.now) } ?? text.shown(40)
    }

    /// Says how long ago the member's time is, for people; empty if the member is no time.
    func ago(_ key: String) -> String {
        Timestamp(rfc3339: text(key)).map { PeopleTime.ago($0, now: PeopleTime.now) } ?? ""
    }

    /// The time left until the member's time, for people; empty if the member is no time.
    func left(_ key: String) -> String {
        Timestamp(rfc3339: text(key)).map { PeopleTime.left(until: $0, now: PeopleTime.now) } ?? ""
    }
}
