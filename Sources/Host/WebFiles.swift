import CAssets

/// The web page's files as the repository has them, carried in the binary.
package struct WebFile: Sendable, Hashable {
    /// On the daemon, with the slash before it: `/index.html`.
    package let path: String
    package let bytes: [UInt8]

    /// Every file, sorted by path. Made anew each time: who serves them keeps what it needs.
    package static var all: [WebFile] {
        var count = 0
        let files = UnsafeBufferPointer(start: cassets_web(&count), count: count)
        // Constants of the program: they are there as long as it is, and nothing writes to them.
        return files.map { file in
            WebFile(
                path: String(cString: file.path),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.length)))
        }
    }
}
