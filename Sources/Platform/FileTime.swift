package import Glibc

/// Times of files, which anybody may set to any year that the file system has room for.
package enum FileTime {
    /// Nanoseconds since 1970, for comparing; about the years 1823 to 2116, the nearest of them for others, so that the
    /// difference of two is a number too.
    package static func nanoseconds(_ time: timespec) -> Int64 {
        let most: Int64 = 4_600_000_000
        return max(-most, min(most, Int64(time.tv_sec))) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Milliseconds since 1970, of the years 0 to 9999.
    package static func milliseconds(_ time: timespec) -> Int64 {
        max(-62_167_219_200, min(253_402_300_799, Int64(time.tv_sec))) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
