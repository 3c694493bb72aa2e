/// What somebody did at the keyboard.
package enum Key: Sendable, Hashable {
    case alt(Character)
    case backTab
    case backspace
    case character(Character)
    /// The letter, lower case: `c` for Ctrl-C.
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
    /// Bracketed: the terminal says that it was not typed.
    case paste(String)
    case right
    case tab
    /// A sequence nobody here knows; swallowed whole, so that no part of it is taken for a letter.
    case unknown
    case up
}
