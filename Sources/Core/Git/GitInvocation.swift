/// One run of git.
package struct GitInvocation: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Changes nothing, and runs no program that the repository names.
        case reading
        /// Changes the repository, and runs its hooks and filters as at the terminal. Once begun it goes on though its
        /// client has left: a checkout that is half done is worse than one that is done.
        case writing
        /// Talks to another machine; ends when its client leaves.
        case transfer
    }

    /// A setting that takes precedence over those of files.
    package struct Setting: Sendable, Hashable {
        package let key: String
        package let value: String

        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    package let kind: Kind
    /// The working directory: absolute, and refused if a link is in it.
    package let directory: String
    /// The directory that an earlier run of the same call had; another one is refused.
    package var expected: DirectoryIdentity?
    /// The arguments after `git`.
    package let words: [GitWord]
    package var settings: [Setting] = []
    package var input: [UInt8] = []
    /// True if paths are no patterns.
    package var isLiteral = true
    /// Bytes of output that are kept. A reading that writes more is ended there.
    package var mostOutput = 1 << 20
    /// Seconds after which it is ended.
    package var seconds: Double

    package init(_ kind: Kind, in directory: String, _ words: [GitWord]) {
        self.kind = kind
        self.directory = directory
        self.words = words
        seconds = kind.seconds
    }
}

extension GitInvocation.Kind {
    /// The deadline. Hooks of a commit may run tests, and a first fetch may take minutes.
    package var seconds: Double {
        switch self {
        case .reading: 30
        case .writing, .transfer: 600
        }
    }
}

/// An argument of git.
package struct GitWord: Sendable, Hashable, ExpressibleByStringInterpolation {
    package let bytes: [UInt8]

    package init(_ path: GitPath) {
        bytes = path.bytes
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }
}

/// Holds what a run of git wrote.
package struct GitOutput: Sendable, Hashable {
    /// The exit status; 128 and the signal's number for one that a signal ended.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]
    /// True if there was more output than is kept.
    package let isCut: Bool
    /// The working directory that the run had.
    package var directory: DirectoryIdentity?

    package init(status: Int32, output: [UInt8] = [], errors: [UInt8] = [], isCut: Bool = false) {
        self.status = status
        self.output = output
        self.errors = errors
        self.isCut = isCut
    }

    /// The output as text, without the line feed at its end. Bytes that are not UTF-8 become U+FFFD.
    package var text: String {
        String(decoding: output.last == 10 ? output.dropLast() : output[...], as: UTF8.self)
    }
}

/// The reason for which a run of git has no output.
package enum GitRunFailure: Error, Sendable, Hashable {
    /// Too many runs wait.
    case busy
    /// The client left.
    case cancelled
    case late(seconds: Int)
    /// The working directory is gone, or is not the one that was meant: a link has taken its place.
    case moved
    /// No `git` is in a directory of `PATH`.
    case notInstalled
    /// The system gave this reason.
    case notStarted(String)
}
