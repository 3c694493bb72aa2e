import CAssets

/// The web page's files as the repository has them, carried in the binary.
package struct WebFile: Sendable, Hashable {
    /// On the daemon, with the slash before it: `/index.html`.
    package let path: String
    package let bytes: [UInt8]

    /// The paths of every file, sorted.
    package static var paths: [String] { embedded.map { String(cString: $0.path) } }

    /// Every file, sorted by path. Made anew each time: who serves them keeps what it needs.
    package static var all: [WebFile] {
        embedded.map { file in
            WebFile(
                path: String(cString: file.path),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.length)))
        }
    }

    /// Constants of the program: they are there as long as it is, and nothing writes to them.
    private static var embedded: UnsafeBufferPointer<cassets_file> {
        var count = 0
        let files = cassets_web(&count)
        return UnsafeBufferPointer(start: files, count: count)
    }
}
