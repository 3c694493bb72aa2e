package import OrderedJSON

/// Claude's own settings: does an `allow` rule of the user, project or local file cover this call, and no `ask` or
/// `deny` rule? Only whole tools, exact commands and prefixes (`x:*`, `x *`) are read; anything else counts as no.
package protocol ClaudeRules: Sendable {
    func allows(tool: String, input: JSON, root: String) -> Bool
}
