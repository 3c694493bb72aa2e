import CZlib

/// The gzip form (RFC 1952) of bytes, as browsers take it over a slow network: the one owner of zlib.
///
/// - Parameter bytes: At most 4 GiB.
/// - Returns: `nil` if there is no memory for it.
package func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var size = czlib_bound(UInt(bytes.count))
    let form = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        let isMade = bytes.withUnsafeBufferPointer {
            czlib_gzip(buffer.baseAddress, &size, $0.baseAddress, UInt($0.count))
        }
        count = isMade == 1 ? Int(size) : 0
    }
    return form.isEmpty ? nil : form
}
