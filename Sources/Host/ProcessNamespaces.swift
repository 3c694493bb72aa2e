import Glibc

/// The namespaces that decide which processes a process sees, and as whom (namespaces(7)).
package struct ProcessNamespaces: Sendable, Equatable {
    /// Such as `pid:[4026531836]`; empty where the system does not say.
    let names: [String]

    package static var own: ProcessNamespaces {
        ProcessNamespaces(names: ["pid", "user"].map { target(of: "/proc/self/ns/\($0)") })
    }

    /// Those in which the machine was started. The kernel gives them the same numbers everywhere (`PROC_PID_INIT_INO` and
    /// `PROC_USER_INIT_INO` of its `linux/proc_ns.h`).
    static let ofMachine = ProcessNamespaces(names: ["pid:[4026531836]", "user:[4026531837]"])

    /// True if a process in these sees less than one in `others`. What is known of two containers says nothing: one that
    /// is started again has namespaces of its own.
    func isHidden(from others: ProcessNamespaces) -> Bool { others == .ofMachine && self != others }

    private static func target(of link: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { bytes in
            readlink(link, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
