import CPlatform

/// The number of descriptors that the process may have open.
package enum FileLimit {
    private static let wanted: UInt64 = 65_536
    /// The number of descriptors kept for the database, logs, listeners and child processes.
    private static let reserve: Int64 = 128

    /// Raises the soft limit and returns how many connections fit below it.
    package static func connections() -> Int {
        max(Int(cplatform_raise_file_limit(wanted) - reserve), 16)
    }
}
