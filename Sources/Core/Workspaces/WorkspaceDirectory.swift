/// The reasons for which a path is no workspace.
package enum DirectoryProblem: Error, Sendable, Hashable {
    /// It holds the user's home directory, or is the root.
    case aboveHome
    case missing
    /// The directory that should hold the new one is missing.
    case missingParent
    case notDirectory
    /// Its resolved path is no UTF-8.
    case notText
    /// It is the daemon's own directory, with its keys and its database, or lies in it.
    case own
    /// It does not begin with a slash, is longer than a path can be, or has a zero byte.
    case spelling
    /// The system's words.
    case unreadable(String)
}

/// The places that are no workspace although they are directories.
package struct ReservedPlaces: Sendable, Hashable {
    /// The user's home directory.
    package let home: String
    /// The daemon's own directory.
    package let own: String

    /// - Parameters: Both resolved, without a slash at the end.
    package init(home: String, own: String) {
        self.home = home
        self.own = own
    }

    /// - Parameter path: Resolved.
    package func problem(with path: String) -> DirectoryProblem? {
        if path == "/" || (path != home && Self.holds(path, home)) { return .aboveHome }
        return Self.holds(own, path) ? .own : nil
    }

    /// A workspace of the home directory shows nearly everything that a person has, so a session makes none of it; a
    /// person may.
    package func isSeen(_ path: String) -> Bool { problem(with: path) == nil && path != home }

    private static func holds(_ directory: String, _ path: String) -> Bool {
        guard !directory.isEmpty else { return false }
        return path.utf8.elementsEqual(directory.utf8) || path.utf8.starts(with: (directory + "/").utf8)
    }
}

/// The limits of a search for repositories.
package struct DiscoveryLimits: Sendable, Hashable {
    /// Levels of directories below each of the given ones.
    package var depth = 5
    package var directories = 20_000
    package var repositories = 500

    package init() {}
}

/// The repositories that were found below some directories.
package struct FoundRepositories: Sendable, Hashable {
    /// Resolved, sorted.
    package var paths: [String] = []
    /// Directories that were read.
    package var scanned = 0
    /// Directories that could not be read.
    package var skipped = 0
    /// False if a limit ended the search.
    package var isComplete = true

    package init() {}
}
