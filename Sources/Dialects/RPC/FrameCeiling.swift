/// No frame we send is larger than phone clients take (PyPI `websockets` refuses more than 1 MiB unless told otherwise).
package enum FrameCeiling {
    /// Bytes of one frame's payload.
    package static let bytes = 1 << 20
    /// Bytes of a result, so that a frame has room for what stands around it.
    static let answer = bytes - 8192
    /// Bytes an id of a call may have to be sent back with such an error.
    static let longestID = 4096
}
