import CPlatform
package import Core
import Glibc
package import Platform

/// Reads the lines that a child appends to a file, from a place on that an earlier process of ours had reached. To be used
/// off the loop.
package final class ChildSpool: Sendable {
    /// A line of the child; without bytes where it is longer than the limit.
    package struct Line: Sendable, Hashable {
        package let place: SpoolPlace
        package let bytes: [UInt8]?
    }

    private struct State {
        /// The first byte of the line that is being read, and its bytes so far.
        var start: Int64
        var rest: [UInt8] = []
        /// Bytes of that line that were dropped.
        var dropped = 0
        var punched: Int64
        var keepsAll = false

        var position: Int64 { start + Int64(rest.count + dropped) }
    }

    /// As `cplatform_punch`.
    package typealias Punch = @Sendable (_ file: Int32, _ from: Int64, _ length: Int64) -> Int32

    private let file: Int32
    private let longestLine: Int
    private let punch: Punch
    private let state: Locked<State>

    /// Bytes that are read at a time.
    private static let atOnce = 1 << 20
    /// The smallest part that is given back to the disk: few calls, and blocks are whole.
    private static let punchedAtOnce: Int64 = 1 << 20

    /// - Parameter punch: Gives a part of the file back to the disk, if the file system can.
    package init(
        _ path: String, from offset: Int64, longestLine: Int,
        punch: @escaping Punch = { cplatform_punch($0, $1, $2) }
    ) throws(SystemError) {
        file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw .last }
        self.longestLine = longestLine
        self.punch = punch
        state = Locked(State(start: offset, punched: 0))
    }

    deinit {
        close(file)
    }

    /// Reads on. Returns the next whole lines, and true if nothing was there behind them; a line without its end is read
    /// with the next call.
    package func read() -> (lines: [Line], isAtEnd: Bool) {
        state.withLock { state in
            guard let bytes = FileBytes.contents(of: file, from: Int(state.position), size: Self.atOnce) else {
                return ([], true)
            }
            return (take(bytes[...], &state), bytes.count < Self.atOnce)
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> [Line] {
        var (lines, left) = ([Line](), bytes)
        while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
            add(left[..<end], to: &state)
            let place = SpoolPlace(offset: state.start, length: state.rest.count + state.dropped)
            lines.append(Line(place: place, bytes: state.dropped > 0 ? nil : state.rest))
            (state.start, state.rest, state.dropped) = (place.end, [], 0)
            left = left[left.index(after: end)...]
        }
        add(left, to: &state)
        return lines
    }

    private func add(_ bytes: ArraySlice<UInt8>, to state: inout State) {
        guard state.dropped == 0, state.rest.count + bytes.count <= longestLine else {
            state.dropped += state.rest.count + bytes.count
            state.rest = []
            return
        }
        state.rest += bytes
    }

    /// The line at a place that was read before; `nil` where it cannot be read, or is not a line.
    package func line(at place: SpoolPlace) -> [UInt8]? {
        guard place.length <= longestLine, place.offset >= 0,
            let bytes = FileBytes.contents(of: file, from: Int(place.offset), size: place.length + 1),
            bytes.count == place.length + 1, bytes.last == UInt8(ascii: "\n")
        else { return nil }
        return bytes.dropLast()
    }

    /// Gives the disk back what is before the offset. Nothing there may be read again. Where the file system cannot, the
    /// file stays as long as it is.
    package func free(upTo offset: Int64) {
        state.withLock { state in
            guard offset - state.punched >= Self.punchedAtOnce else { return }
            state.keepsAll = punch(file, state.punched, offset - state.punched) != 0
            if !state.keepsAll { state.punched = offset }
        }
    }

    /// True if the file system did not take back what was read. The file cannot be made shorter then: the child may write
    /// behind its end at any moment, and holds the file itself, whatever its path leads to.
    package var keepsAll: Bool { state.withLock { $0.keepsAll } }

    /// Bytes of the disk that the file takes.
    package var bytesOnDisk: Int64 {
        var status = stat()
        return fstat(file, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }
}
