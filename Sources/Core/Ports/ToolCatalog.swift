/// What a tool is, by the name its agent gives it. Requests and sessions are remembered with names only; when they are
/// read, each tool is looked up again, so that what was remembered by an earlier version has its kind too.
package protocol ToolCatalog: Sendable {
    func tool(named name: String, of agent: Agent) -> Tool
}
