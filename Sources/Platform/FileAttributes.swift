package import Glibc

/// Mode, owner and group of a file.
package struct FileAttributes: Hashable, Sendable {
    package let mode: mode_t
    /// The owner; nil for the user who creates the file.
    package var owner: uid_t?
    /// The group; nil for the group that the file gets when it is created.
    package var group: gid_t?

    package init(mode: mode_t, owner: uid_t? = nil, group: gid_t? = nil) {
        self.mode = mode
        self.owner = owner
        self.group = group
    }

    /// Only its owner may read and write it.
    package static let ofPrivateFile = FileAttributes(mode: 0o600)
    package static let ofScript = FileAttributes(mode: 0o755)
}
