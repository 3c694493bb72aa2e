/// The largest frame that we send, which is the largest that phone clients take (PyPI `websockets` refuses more than 1
/// MiB by default).
package enum FrameCeiling {
    /// Bytes of one frame's payload.
    package static let bytes = 1 << 20
    /// Bytes of a result. The rest is room for the members around it.
    static let answer = bytes - 8192
    /// The longest id, in bytes as JSON, that is sent back with an error about size; a longer id becomes null.
    static let longestID = 4096
}
