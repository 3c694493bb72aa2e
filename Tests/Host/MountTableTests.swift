import Host
import Testing

/// Of which disks an answer may be waited for.
@Suite struct MountTableTests {
    private let table = MountTable(
        mountinfo: """
            1 0 0:1 / / rw - rootfs none rw
            27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
            22 27 0:21 / /proc rw - proc proc rw
            40 27 0:40 / /home/me/share rw,relatime shared:9 master:1 - nfs4 server:/export rw
            41 40 0:41 / /home/me/share/local rw - tmpfs none rw
            42 27 0:42 / /mnt/a\\040b rw - fuse.sshfs me@there: rw
            43 27 0:43 / /net rw - autofs auto rw
            """)

    @Test(arguments: [
        ("/", false), ("/home/me", false), ("/home/me/shared", false), ("/home/me/share", true),
        ("/home/me/share/x/y", true), ("/home/me/share/local/x", false), ("/mnt/a b/c", true), ("/mnt/a", false),
        ("/net/host/x", true), ("/proc/self", false),
    ])
    func saysWhatMayHang(path: String, mayHang: Bool) {
        #expect(table.mayHang(path) == mayHang)
    }

    @Test(arguments: ["", "nonsense", "1 2 3 4 / rw - "])
    func whatCannotBeReadMayHangAnywhere(text: String) {
        #expect(MountTable(mountinfo: text).mayHang("/home/me"))
    }

    @Test func aTableOfLocalDisksIsNotSearched() {
        #expect(!MountTable(mountinfo: "27 1 254:0 / / rw - ext4 /dev/vda rw").mayHangAnywhere)
    }
}
