import Glibc

/// Finds programs as a shell does.
package enum ProgramPath {
    /// - Parameter directories: `PATH`; directories that are not absolute do not count.
    package static func find(_ name: String, in directories: String) -> String? {
        directories.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first { path in
            var found = stat()
            return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
    }
}
