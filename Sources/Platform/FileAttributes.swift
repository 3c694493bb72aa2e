package import Glibc

/// Who may do what with a file.
package struct FileAttributes: Hashable, Sendable {
    package let mode: mode_t
    /// Nil for whoever creates the file.
    package var owner: uid_t?
    package var group: gid_t?

    package init(mode: mode_t, owner: uid_t? = nil, group: gid_t? = nil) {
        self.mode = mode
        self.owner = owner
        self.group = group
    }

    /// For its user alone.
    package static let ofPrivateFile = FileAttributes(mode: 0o600)
    package static let ofScript = FileAttributes(mode: 0o755)
}
