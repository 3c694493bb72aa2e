/// Paths whose content only callers with the right to drive may see.
package enum SensitivePath {
    /// True if a component of the path is the name of a secret, or of a file that configures this program or git.
    /// - Parameter path: bytes, which need not be UTF-8.
    package static func isSensitive(_ path: some Collection<UInt8>) -> Bool {
        path.split(separator: UInt8(ascii: "/")).contains { SensitiveNames.isSensitive(component: Array($0)) }
    }
}
