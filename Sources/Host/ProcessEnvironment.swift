import Core
import Glibc

/// The variables that a process was started with, as the kernel has them: `NAME=VALUE`, each with a zero behind it.
///
/// Nothing is split or decoded before it is asked for. The process chose the bytes, and the loop waits for the answer.
package struct ProcessEnvironment: Sendable {
    let bytes: [UInt8]

    /// True if one of `AgentMarks` is among the variables.
    var hasAgentMark: Bool {
        firstEntry { AgentMarks.mayBegin($0[0]) && AgentMarks.contain($0) } != nil
    }

    /// The value of a variable, the first where there are several, as `getenv` reads it.
    package func value(of name: String) -> String? {
        let start = Array((name + "=").utf8)
        return firstEntry { $0[0] == start[0] && $0.starts(with: start) }
            .map { String(decoding: bytes[$0].dropFirst(start.count), as: UTF8.self) }
    }

    /// The place of the first entry that is the wanted one; empty entries are passed over.
    private func firstEntry(where isWanted: (UnsafeRawBufferPointer) -> Bool) -> Range<Int>? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var start = 0
            while start < buffer.count {
                let found = memchr(base + start, 0, buffer.count - start)
                let end = found.map { base.distance(to: $0) } ?? buffer.count
                let entry = UnsafeRawBufferPointer(start: base + start, count: end - start)
                if !entry.isEmpty && isWanted(entry) { return start..<end }
                start = end + 1
            }
            return nil
        }
    }
}

extension ProcessTable {
    /// What is known of the variables of a process.
    enum Variables {
        case known(ProcessEnvironment)
        /// There are more bytes than were to be read.
        case tooMany
        case unreadable
    }

    func variables(of pid: Int32, atMost limit: Int) -> Variables {
        guard let bytes = read("\(pid)/environ", atMost: limit) else { return .unreadable }
        return bytes.count > limit ? .tooMany : .known(ProcessEnvironment(bytes: bytes))
    }
}
