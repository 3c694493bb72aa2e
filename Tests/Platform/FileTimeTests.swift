import Glibc
import Platform
import Testing

@Suite struct FileTimeTests {
    /// Times that anybody may give a file: the first and last of `time_t`, of ext4 and of a four-digit year.
    static let seconds = [Int.min, -62_167_219_201, -2_147_483_648, 0, 15_032_385_535, 253_402_300_800, .max]

    @Test(arguments: seconds) func noTimeIsTooFar(seconds: Int) {
        let time = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
        let difference = SystemTime.wall * 1_000_000 - FileTime.nanoseconds(time)
        #expect(difference != 0)
        #expect((-62_167_219_200_000...253_402_300_799_999).contains(FileTime.milliseconds(time)))
    }

    @Test func timesOfTodayAreExact() {
        let time = timespec(tv_sec: 1_795_170_600, tv_nsec: 123_456_789)
        #expect(FileTime.nanoseconds(time) == 1_795_170_600_123_456_789)
        #expect(FileTime.milliseconds(time) == 1_795_170_600_123)
    }
}
