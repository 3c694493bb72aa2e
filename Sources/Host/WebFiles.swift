import CAssets

/// A file of the web page, which is embedded in the binary as the repository has it.
package struct WebFile: Sendable, Hashable {
    /// The path in a URL, with its first slash: `/index.html`.
    package let path: String
    package let bytes: [UInt8]

    /// The paths of every file, sorted.
    package static var paths: [String] { embedded.map { String(cString: $0.path) } }

    /// Every file, sorted by path. Each call copies all bytes, so a caller should keep the result.
    package static var all: [WebFile] {
        embedded.map { file in
            WebFile(
                path: String(cString: file.path),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.length)))
        }
    }

    /// The embedded files. They are constants of the program, so the pointers stay valid and nothing writes to them.
    private static var embedded: UnsafeBufferPointer<cassets_file> {
        var count = 0
        let files = cassets_web(&count)
        return UnsafeBufferPointer(start: files, count: count)
    }
}
