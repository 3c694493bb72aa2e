/// A file for its user alone that is there whole or not at all, also where the process or the power ends in between.
package enum WholeFile {
    /// - Returns: What failed, and why; nil where it is written.
    package static func write(_ bytes: [UInt8], to path: String) -> String? {
        do throws(InstallError) {
            try InstallFiles.replace(path, with: bytes, .ofPrivateFile)
            return nil
        } catch {
            // Its own words are about settings.
            guard case .failed(let operation, let path, let reason) = error else { return "\(error)" }
            return "cannot \(operation) \(path): \(reason)"
        }
    }
}
