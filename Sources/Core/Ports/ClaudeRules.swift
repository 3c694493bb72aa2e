package import OrderedJSON

/// Claude's own permission rules. A call is allowed if an `allow` rule of the user's, the project's or the local file
/// covers it, and no `ask` or `deny` rule does. Only whole tools, exact commands and prefixes (`x:*`, `x *`) are
/// understood; no other allow rule counts.
package protocol ClaudeRules: Sendable {
    func allows(tool: String, input: JSON, root: String) -> Bool
    /// The same without waiting for a disk; `nil` if a file has to be read for it, or its disk may hang.
    func allowsPromptly(tool: String, input: JSON, root: String) -> Bool?
}

extension ClaudeRules {
    package func allowsPromptly(tool: String, input: JSON, root: String) -> Bool? {
        allows(tool: tool, input: input, root: root)
    }
}
