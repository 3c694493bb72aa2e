import CCurl

/// libcurl's functions, found when the first of them is needed: what never notifies anybody never loads them.
///
/// `@unchecked Sendable`: written once, before anybody else has it.
final class Curl: @unchecked Sendable {
    let functions: UnsafePointer<ccurl>

    /// `nil` where there is no libcurl that has them all. Loading takes milliseconds, so never on a thread that others
    /// wait for.
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
