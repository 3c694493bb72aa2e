/// The parts of a settings file that install created, so that uninstall can remove them when they are empty.
package struct InstallNotes: Sendable, Hashable {
    /// Directories that were created, outermost first.
    var directories: [String] = []
    var isFileCreated = false
    /// The text of a file that had no JSON in it: nothing, or white space.
    var blankText: String?
    var isHooksCreated = false
    /// The events whose list was missing.
    var createdEvents: Set<String> = []
    /// The spelling of objects and lists that existed but were empty; by path (`""` for the root).
    var emptySpellings: [String: String] = [:]

    package init() {}

    /// The notes for entries that a cdev with another home installed. Empty lists of a user's own are rare, so a list
    /// with our entries and nothing else counts as created by that install. The file does not.
    static func assumed(for events: [String]) -> InstallNotes {
        var notes = InstallNotes()
        notes.isHooksCreated = true
        notes.createdEvents = Set(events)
        return notes
    }
}
