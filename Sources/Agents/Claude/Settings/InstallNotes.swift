/// What install had to create in a settings file, so that uninstall can take it away again when it is empty.
package struct InstallNotes: Sendable, Hashable {
    /// Outermost first.
    var directories: [String] = []
    var isFileCreated = false
    /// What a file held that had no JSON in it: nothing, or white space.
    var blankText: String?
    var isHooksCreated = false
    /// The events whose list was not there.
    var createdEvents: Set<String> = []
    /// How objects and lists that were there, but empty, were spelled; by path (`""` for the root).
    var emptySpellings: [String: String] = [:]

    package init() {}

    /// For entries that somebody else's install left, a cdev with another home: few have empty lists of their own, so what
    /// holds our entries and nothing else is taken for its work. A file is not taken for it.
    static func assumed(for events: [String]) -> InstallNotes {
        var notes = InstallNotes()
        notes.isHooksCreated = true
        notes.createdEvents = Set(events)
        return notes
    }
}
