/// Tells a directory from another that has taken its path.
package struct DirectoryIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}
