import COpenSSL

/// OpenSSL's way of reading from and writing to memory, for as long as `body` runs.
enum MemoryBIO {
    static func reading<Result, Failure: Error>(
        _ bytes: [UInt8], _ body: (OpaquePointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        // Written into it rather than lent to it: a lent array would have to stay where it is.
        if !bytes.isEmpty { BIO_write(bio, bytes, Int32(clamping: bytes.count)) }
        return try body(bio)
    }

    /// What `write` wrote; empty if it reports failure (0).
    static func written(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { return [] }
        var start: UnsafePointer<CChar>?
        let count = copenssl_memory(bio, &start)
        guard let start, count > 0 else { return [] }
        return UnsafeRawBufferPointer(start: start, count: count).map { $0 }
    }
}
