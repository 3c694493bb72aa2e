import COpenSSL

/// OpenSSL's readers and writers of memory (`BIO_s_mem`).
enum MemoryBIO {
    /// Calls `body` with a BIO that reads `bytes` and is valid only during the call.
    static func reading<Result, Failure: Error>(
        _ bytes: [UInt8], _ body: (OpaquePointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        // The bytes are copied into the BIO: a BIO over the array's memory would need an array that does not move.
        if !bytes.isEmpty { BIO_write(bio, bytes, Int32(clamping: bytes.count)) }
        return try body(bio)
    }

    /// The bytes that `write` wrote; empty if `write` returns anything but 1.
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
