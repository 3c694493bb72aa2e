import Glibc

/// The names in a directory.
package enum DirectoryNames {
    /// Without `.` and `..`, in no order; none where the directory cannot be read.
    package static func all(in path: String, atMost most: Int = .max) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < most, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
