package import OrderedJSON

/// Claude's own settings: does an `allow` rule of the user, project or local file cover this call, and no `ask` or
/// `deny` rule? Only whole tools, exact commands and prefixes (`x:*`, `x *`) are read; anything else counts as no.
package protocol ClaudeRules: Sendable {
    func allows(tool: String, input: JSON, root: String) -> Bool
    /// The same, for a thread that others wait for; `nil` where a file has to be read for it, or its disk may hang.
    func allowsPromptly(tool: String, input: JSON, root: String) -> Bool?
}

extension ClaudeRules {
    package func allowsPromptly(tool: String, input: JSON, root: String) -> Bool? {
        allows(tool: tool, input: input, root: root)
    }
}
