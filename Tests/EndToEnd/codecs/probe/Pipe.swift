#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Length-prefixed messages over stdin and stdout.
struct Pipe {
    /// The next message, nil at the end of the input.
    func read() -> [UInt8]? {
        guard let prefix = read(4) else { return nil }
        return read(prefix.reduce(0) { $0 << 8 | Int($1) })
    }

    func write(_ message: [UInt8]) -> Bool {
        var rest = (0..<4).reversed().map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) } + message
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { platformWrite($0) }
            guard written > 0 else { return false }
            rest.removeFirst(written)
        }
        return true
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var piece = [UInt8](repeating: 0, count: count - bytes.count)
            let length = piece.withUnsafeMutableBytes { platformRead($0) }
            guard length > 0 else { return nil }
            bytes += piece.prefix(length)
        }
        return bytes
    }
}

/// Outside of `Pipe`, whose own `read` and `write` would be found first.
private func platformRead(_ buffer: UnsafeMutableRawBufferPointer) -> Int { read(0, buffer.baseAddress, buffer.count) }
private func platformWrite(_ buffer: UnsafeRawBufferPointer) -> Int { write(1, buffer.baseAddress, buffer.count) }
