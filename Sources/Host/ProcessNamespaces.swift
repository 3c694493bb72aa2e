/// The namespaces that decide which processes a process sees, and as whom (namespaces(7)).
package struct ProcessNamespaces: Sendable, Equatable {
    /// Such as `pid:[4026531836]`; empty where the system does not say.
    let names: [String]

    package static var own: ProcessNamespaces {
        let processes = ProcessTable { _, _ in nil }
        return ProcessNamespaces(names: ["pid", "user"].map { processes.target(of: "self/ns/\($0)") ?? "" })
    }

    /// Those in which the machine was started. The kernel gives them the same numbers everywhere (`PROC_PID_INIT_INO` and
    /// `PROC_USER_INIT_INO` of its `linux/proc_ns.h`).
    static let ofMachine = ProcessNamespaces(names: ["pid:[4026531836]", "user:[4026531837]"])

    /// True if a process in these sees less than one in `others`. What is known of two containers says nothing: one that
    /// is started again has namespaces of its own.
    func isHidden(from others: ProcessNamespaces) -> Bool { others == .ofMachine && self != others }
}
