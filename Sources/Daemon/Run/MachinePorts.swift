import Host
import Platform
import Services

// This machine fills the ports of the services.

extension ChangedFile: FileReader {}
extension ServerLog: Log {}
extension WorkspaceFolders: WorkspaceDirectories {}
extension WorkspaceTree: WorkspaceDisk {}
