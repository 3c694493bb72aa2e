import OrderedJSON
import Platform

/// The reasons for which hooks could not be installed, removed or checked. Except for `notDurable` and `unconfirmed`
/// the settings file is unchanged.
package enum InstallError: Error, Hashable, CustomStringConvertible {
    /// The settings file has content whose meaning we do not know.
    case refused(path: String, SettingsError)
    /// Another process holds the lock.
    case busy(path: String)
    /// Another process changed the file during each attempt.
    case changedMeanwhile(path: String)
    case failed(operation: String, path: String, reason: String)
    /// The change is made, but the disk has not confirmed it.
    case notDurable(path: String, reason: String)
    /// The change is made, but the file could not be read afterwards.
    case unconfirmed(path: String, reason: String)
    case unusablePath(String, reason: String)
    /// A script template lacks the line that takes a value.
    case badTemplate(script: String, missing: String)
    /// The record of earlier installs cannot be read.
    case badManifest(path: String, reason: String)
    /// The environment does not say where the settings are.
    case unknownHome

    init(_ error: FileError) {
        self =
            switch error {
            case .failed(let operation, let path, let reason):
                .failed(operation: operation, path: path, reason: reason.description)
            case .leadsNowhere(let path): .unusablePath(path, reason: error.reason)
            case .notRegular(let path):
                .unusablePath(path, reason: "it is not a regular file; name the settings file itself")
            case .tooLarge(let path, let limit):
                .unusablePath(path, reason: "it is larger than \(limit >> 20) MiB")
            case .notDurable(let path, let reason):
                .notDurable(path: path, reason: reason.description)
            }
    }

    package var description: String {
        switch self {
        case .refused(let path, let error):
            "\(path) was left as it is, since \(error). Correct it, then try again."
        case .busy(let path):
            "another cdev is changing \(path). Nothing was changed; try again when it is done."
        case .changedMeanwhile(let path):
            "\(path) kept changing while it was being edited, and was left to whoever changes it; try again when that is over."
        case .failed(let operation, let path, let reason):
            "cannot \(operation) \(path): \(reason). The settings are as they were; see to it, then try again."
        case .notDurable(let path, let reason):
            "\(path) was changed, but a power cut now may undo that: \(reason). Check the disk, then run it again."
        case .unconfirmed(let path, let reason):
            "\(path) was changed, but cannot be read again: \(reason). See to it, then run this again."
        case .unusablePath(let path, let reason):
            "the path \(path) cannot be used: \(reason). Nothing was changed."
        case .badTemplate(let script, let missing):
            "the template of \(script) has no line that begins with \(missing). Nothing was changed; reinstall cdev."
        case .badManifest(let path, let reason):
            "\(path), where cdev notes what it installed, cannot be read: \(reason). Nothing was changed; "
                + "remove that file and try again (uninstall then leaves behind what it does not know to be its own)."
        case .unknownHome:
            "neither --settings nor CLAUDE_CONFIG_DIR nor HOME says where Claude Code's settings are; set one of them."
        }
    }
}
