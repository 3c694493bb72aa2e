import Core
import Glibc
import Platform

/// Reads the whole lines of a part of an open file. The last line may be half written: it is read the next time.
struct ClaudePartReader {
    private let file: Int32
    private let offset: Int64
    private let limit: Int
    private let longestLine: Int
    private var parser = ClaudeLineParser()
    private var lines: [TranscriptPart.Line] = []

    /// Bytes in which an end of a line is looked for. The agent writes none that is longer; a hole in a file is.
    private static let mostOfLine = 64 << 20
    /// Bytes of a file that are taken in, a hundred times those of a long session.
    private static let mostOfFile: Int64 = 4 << 30

    private enum LineEnd {
        case found(length: Int)
        /// It may be written later.
        case notYet
        case tooFar
    }

    init(_ file: Int32, from offset: Int64, limit: Int, longestLine: Int) {
        self.file = file
        self.offset = offset
        self.limit = limit
        self.longestLine = longestLine
    }

    mutating func read() -> TranscriptPart? {
        guard offset < Self.mostOfFile else { return part(upTo: offset, isLast: true, isGivenUp: true) }
        guard let bytes = FileBytes.contents(of: file, from: Int(offset), size: limit) else { return nil }
        let whole = bytes.withUnsafeBufferPointer { walk($0) }
        // A line that is longer than the part: only its beginning is read, and the rest stepped over.
        let end: Int64
        if whole == 0, bytes.count == limit {
            switch lineEnd(behind: bytes.count) {
            case .found(let length):
                take(bytes, length)
                end = offset + Int64(length) + 1
            case .notYet: return part(upTo: offset, isLast: true)
            case .tooFar: return part(upTo: offset, isLast: true, isGivenUp: true)
            }
        } else {
            end = offset + Int64(whole)
        }
        return part(upTo: end, isLast: bytes.count < limit)
    }

    private func part(upTo end: Int64, isLast: Bool, isGivenUp: Bool = false) -> TranscriptPart? {
        FileSeal.of(file, upTo: end, headLength: nil).map {
            TranscriptPart(lines: lines, end: end, isLast: isLast, seal: $0, isGivenUp: isGivenUp)
        }
    }

    /// Returns the number of bytes of whole lines.
    private mutating func walk(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var start = 0
        // guard: memchr is given no more bytes than the buffer has behind `start`.
        while start < bytes.count, let found = memchr(base + start, 0x0A, bytes.count - start) {
            let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            note(parser.read(bytes, start..<end), at: offset + Int64(start), length: end - start)
            start = end + 1
        }
        return start
    }

    private mutating func note(_ line: TranscriptLine, at offset: Int64, length: Int) {
        guard line.isMessage || line.about != nil else { return }
        lines.append(TranscriptPart.Line(offset: offset, length: length, line: line))
    }

    private mutating func take(_ beginning: [UInt8], _ length: Int) {
        var bytes = beginning
        if length <= longestLine, let whole = FileBytes.contents(of: file, from: Int(offset), size: length) {
            bytes = whole
        }
        note(parser.read(bytes), at: offset, length: length)
    }

    /// The end of the line of which `known` bytes are known to have none.
    private func lineEnd(behind known: Int) -> LineEnd {
        var length = known
        while let bytes = FileBytes.contents(of: file, from: Int(offset) + length, size: 1 << 20), !bytes.isEmpty {
            if let end = Self.lineFeed(in: bytes) { return .found(length: length + end) }
            length += bytes.count
            if length >= Self.mostOfLine { return .tooFar }
        }
        return .notYet
    }

    private static func lineFeed(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base, 0x0A, buffer.count) else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}

/// Numbers made of a file's bytes, by which a file that was replaced or written anew is told from one that grew.
enum FileSeal {
    /// Bytes at each end. Lines differ in their first bytes already, by an id or a time.
    private static let length: Int64 = 512

    /// - Parameter headLength: The number of first bytes; `nil` for as many as there are, up to `length`.
    static func of(_ file: Int32, upTo offset: Int64, headLength: Int64?) -> TranscriptPart.Seal? {
        let headLength = headLength ?? min(length, offset)
        let tailStart = max(0, offset - length)
        guard let head = FileBytes.contents(of: file, size: Int(headLength)), head.count == Int(headLength),
            let tail = FileBytes.contents(of: file, from: Int(tailStart), size: Int(offset - tailStart)),
            tail.count == Int(offset - tailStart)
        else { return nil }
        return TranscriptPart.Seal(head: fingerprint(head), headLength: headLength, tail: fingerprint(tail))
    }

    /// FNV-1a, 64 bits: against accidents, not against an attacker, who could write the file itself.
    private static func fingerprint(_ bytes: [UInt8]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64(bitPattern: hash)
    }
}
