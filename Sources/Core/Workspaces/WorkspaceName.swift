/// The name of a workspace, with the limits of a device's name: both stand in lists and on cards.
package enum WorkspaceName {
    /// True if the name has 1 to 64 visible characters, no space at its ends, and nothing that breaks a line or changes
    /// the direction of writing.
    package static func isUsable(_ name: String) -> Bool { DeviceName.isUsable(name) }

    /// The name of a workspace that got none: the last part of its path, without what a name may not hold.
    package static func ofDirectory(_ path: String) -> String {
        DeviceName.cleaned(path.split(separator: "/").last.map(String.init)) ?? "workspace"
    }
}
