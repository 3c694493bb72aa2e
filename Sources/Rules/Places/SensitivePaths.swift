/// The notion of a sensitive file for parts that show files to people: the same names that no rule covers.
package enum SensitivePaths {
    /// True if a name in the path is that of a secret, of git's own directory, or of a file that configures agents or this
    /// program.
    package static func holds(_ path: String) -> Bool {
        SensitiveNames.isSensitive(path: path[...].utf8)
    }
}
