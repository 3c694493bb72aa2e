import CCurl

/// libcurl's functions, loaded at the first use: a daemon that never sends a notification never loads libcurl.
///
/// `@unchecked Sendable`: the table is written in `init` and only read afterwards.
final class Curl: @unchecked Sendable {
    let functions: UnsafePointer<ccurl>

    /// `nil` if no libcurl has all the functions. Loading takes milliseconds, so the first use must not be on the loop.
    static let shared = Curl()

    private init?() {
        let table = UnsafeMutablePointer<ccurl>.allocate(capacity: 1)
        table.initialize(to: ccurl())
        guard ccurl_load(table) != 0, table.pointee.global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
            table.deallocate()
            return nil
        }
        functions = UnsafePointer(table)
    }
}
