package import Core
package import Wire

/// The environment of a hook, which its relay sends in header fields. Values are percent-encoded (RFC 3986).
extension HookSource {
    /// - Parameters:
    ///   - bodyDigest: SHA-256 of the body.
    ///   - isOfThisMachine: True if the kernel names the sender. Only such a sender names the agent's process: who is
    ///     said to be an agent, and what runs below it, may not answer, and that for as long as the process lives.
    ///   - agentPID: The agent's process, used if no header names it.
    package init(
        fields: HTTPHeaders, bodyDigest: [UInt8], isVerified: Bool, isOfThisMachine: Bool, agentPID: Int32? = nil
    ) throws(HookInputError) {
        let attended = fields["Cdev-Attended"].flatMap(PercentEncoding.decode)
        let entrypoint = fields["Cdev-Entrypoint"].flatMap(PercentEncoding.decode)
        self.init(
            relayToken: try Self.relayToken(fields["Cdev-Request"]), bodyDigest: bodyDigest,
            isAttended: attended.map { $0 == "1" } ?? (entrypoint == "cli"),
            claudePID: isOfThisMachine ? Self.process(fields["Cdev-Claude-Pid"]) ?? agentPID : nil,
            projectDirectory: path(fields["Cdev-Project"]), shell: path(fields["Cdev-Shell"]), isVerified: isVerified)
        self.isOfThisMachine = isOfThisMachine
    }

    private static func process(_ field: String?) -> Int32? {
        field.flatMap { Int32($0) }.flatMap { $0 > 1 ? $0 : nil }
    }

    /// Throws for a short token: it could be equal to that of another call, and then two calls would share one answer.
    private static func relayToken(_ field: String?) throws(HookInputError) -> String? {
        guard let field else { return nil }
        let isWord = field.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isWord, (16...128).contains(field.utf8.count) else {
            throw HookInputError(
                "Cdev-Request must be 16 to 128 letters, digits, - or _ (128 random bits in hexadecimal)")
        }
        return field
    }
}

/// An absolute path, or nothing.
private func path(_ field: String?) -> String? {
    field.flatMap(PercentEncoding.decode).flatMap { $0.hasPrefix("/") ? $0 : nil }
}
