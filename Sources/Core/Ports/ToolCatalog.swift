/// Looks tools up by the names that agents give them. Requests and sessions are stored with names only; when they are
/// read, each tool is looked up, so that rows of an earlier version get a kind too.
package protocol ToolCatalog: Sendable {
    func tool(named name: String, of agent: Agent) -> Tool
}
