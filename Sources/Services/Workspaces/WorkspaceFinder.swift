package import Core

/// Finds workspaces, for the services that work in one.
package protocol WorkspaceFinder: Sendable {
    /// `nil` if there is no workspace with this id.
    func workspace(_ id: String) async -> Workspace?
    /// The workspace whose directory holds the path, the deepest if several do.
    func workspace(holding path: String) async -> Workspace?
}
