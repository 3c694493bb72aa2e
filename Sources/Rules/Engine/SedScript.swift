/// Scripts of sed, of which GNU's runs commands: `1e git push`, `s/x/git push/e` (its manual, "The e command").
enum SedScript {
    /// True if an `e` may stand in the place of a command or a flag.
    static func runsCommands(_ script: String) -> Bool {
        // The last byte before the letter that is neither a flag nor a number.
        var before = UInt8(ascii: ";")
        var last = before
        var isLetter = false
        for byte in script.utf8 {
            if isLetter, ends.contains(byte) { return true }
            isLetter = byte == UInt8(ascii: "e") && fronts.contains(before)
            if isLetter, ShellCharacters.isDigit(last) || last == UInt8(ascii: "$") { return true }
            if !flags.contains(byte) { before = byte }
            last = byte
        }
        return isLetter
    }

    private static let ends = Set(" \t\n;}".utf8)
    private static let flags = Set("0123456789gpiImM".utf8)
    private static let fronts = Set(" \t\n;{}$/|,#@!:'".utf8)
}
