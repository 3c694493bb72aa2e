import Glibc

/// Reads the pieces of a `ScriptedAgent` out of whatever carries them, and how late each was.
final class PieceReader {
    private let descriptor: Int32
    private var rest: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    private let mark: [UInt8]

    /// - Parameter member: The member of JSON that holds a piece.
    init(_ descriptor: Int32, member: String = "text") {
        self.descriptor = descriptor
        mark = Array("\"\(member)\":\"".utf8)
    }

    /// Waits for more, and returns by how many nanoseconds each piece was late.
    func next() throws -> [Nanoseconds] {
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            let now = Clock.now()
            guard count > 0 else { throw BenchError("nothing more is written") }
            rest += buffer[..<count]
            let late = times().map { now - $0 }
            if !late.isEmpty { return late }
        }
    }

    private func times() -> [Nanoseconds] {
        var found: [Nanoseconds] = []
        var at = 0
        while let mark = place(of: self.mark, from: at) {
            let start = mark + self.mark.count
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: "\"")) else {
                rest.removeFirst(mark)
                return found
            }
            found += String(decoding: rest[start..<end], as: UTF8.self).split(separator: " ").compactMap { Int64($0) }
            at = end
        }
        // A mark may come in two parts.
        rest.removeFirst(max(at, rest.count - mark.count))
        return found
    }

    private func place(of text: [UInt8], from start: Int) -> Int? {
        rest.withUnsafeBytes { bytes in
            var at = start
            while at + text.count <= bytes.count {
                guard let quote = bytes[at...].firstIndex(of: text[0]), quote + text.count <= bytes.count else {
                    return nil
                }
                if bytes[quote..<quote + text.count].elementsEqual(text) { return quote }
                at = quote + 1
            }
            return nil
        }
    }
}
