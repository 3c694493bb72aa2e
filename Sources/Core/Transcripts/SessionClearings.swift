/// Sessions that were cleared at a terminal, so that another one went on, as an agent's record of what was typed tells.
package struct SessionClearings: Sendable, Hashable {
    package struct Clearing: Sendable, Hashable {
        package let sessionID: String
        package let at: Timestamp

        package init(sessionID: String, at: Timestamp) {
            self.sessionID = sessionID
            self.at = at
        }
    }

    /// Marks how far the record was read.
    package struct Mark: Sendable, Hashable {
        package let inode: UInt64
        package let end: Int64

        package init(inode: UInt64, end: Int64) {
            self.inode = inode
            self.end = end
        }
    }

    package let found: [Clearing]
    package let mark: Mark

    package init(found: [Clearing], mark: Mark) {
        self.found = found
        self.mark = mark
    }
}
