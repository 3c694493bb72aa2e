/// A key, or a paste.
package enum Key: Sendable, Hashable {
    case alt(Character)
    case backTab
    case backspace
    case character(Character)
    /// With the letter in lower case: `c` for Ctrl-C.
    case control(Character)
    case delete
    case down
    case end
    case enter
    case escape
    case home
    case left
    case pageDown
    case pageUp
    /// Text that the terminal marks as pasted (bracketed paste).
    case paste(String)
    case right
    case tab
    /// An unknown sequence, read as a whole so that no part of it is taken for a letter.
    case unknown
    case up
}
