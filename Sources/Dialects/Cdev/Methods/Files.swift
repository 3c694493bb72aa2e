import Core
import OrderedJSON
package import Services
import Wire

/// The files of workspaces. Each method that reads has a second name, which older clients use and which does without a
/// `workspace_id` where there is one workspace.
package struct FileMethods: MethodGroup {
    private let files: any FileService

    package init(files: any FileService) {
        self.files = files
    }

    package var methods: [Method] { (list + get + [unwatch, watch]).sorted { $0.name < $1.name } }

    private var list: [Method] {
        Method.named(["workspace/files/list", "file/list"]) { name in
            Method(
                name, right: .read, scheduling: .beside,
                summary: "The entries of a directory, directories first, each kind sorted by name.",
                shape: Self.listShape(Self.workspace(for: name)), result: .fileListing, handler: list)
        }
    }

    private var get: [Method] {
        Method.named(["workspace/file/get", "file/get"]) { name in
            Method(
                name, right: .read, scheduling: .beside, takesTurns: true,
                summary: "The content of a file. That of a sensitive file (a secret, an agent's settings, git's own "
                    + "files) needs the right to drive.",
                shape: Self.getShape(Self.workspace(for: name)), result: .fileContent, handler: get)
        }
    }

    private var watch: Method {
        Method(
            "workspace/files/watch", right: .read, scheduling: .beside,
            summary:
                "Sends event/file_changed to everybody who sees the workspace's events, as long as the caller looks "
                + "at the directory. Call it again before the time is over; a client watches at most 8 directories, a device 16.",
            parameters: Self.directory,
            .integer("seconds", in: 1...600, default: 120, "for which it is watched"),
            Self.workspace,
            result: .object([
                "success": .success, "workspace_id": .string, "directory": .string, "seconds": .count,
                "polled": .boolean.meaning(
                    "the system does not tell of changes there, so it is looked at every 2 s"),
            ])
        ) { call, directory, seconds, workspace async throws(JSONRPCError) in
            do throws(FileFailure) {
                let watch = try await files.watch(
                    FolderQuery(workspace: workspace, directory: directory), seconds: seconds, by: call.watcher,
                    of: call.caller.deviceID ?? (call.caller.isAgent ? "agent" : nil))
                return [
                    "success": true, "workspace_id": .string(watch.workspaceID), "directory": .string(directory.text),
                    "seconds": .count(seconds), "polled": .bool(watch.isPolled),
                ]
            } catch {
                throw error.rpcError
            }
        }
    }

    private var unwatch: Method {
        Method(
            "workspace/files/unwatch", right: .read, scheduling: .beside,
            summary: "The caller no longer looks at the directory.",
            parameters: Self.directory, Self.workspace,
            result: .object(["success": .success, "existed": .boolean.meaning("false: it was not watched")])
        ) { call, directory, workspace async throws(JSONRPCError) in
            do throws(FileFailure) {
                let query = FolderQuery(workspace: workspace, directory: directory)
                return ["success": true, "existed": .bool(try await files.unwatch(query, by: call.watcher))]
            } catch {
                throw error.rpcError
            }
        }
    }

    private func list(_ call: Call, _ query: FileListQuery) async throws(JSONRPCError) -> JSON {
        do throws(FileFailure) {
            return FileListingBody(query, try await files.list(query, by: call.caller)).json
        } catch {
            throw error.rpcError
        }
    }

    private func get(_ call: Call, _ query: FileQuery) async throws(JSONRPCError) -> JSON {
        do throws(FileFailure) {
            let content = try await files.content(query, by: call.caller)
            return FileContentBody(query.path, content, isFramed: call.client.isFramed).json
        } catch {
            throw error.rpcError
        }
    }
}

extension Call {
    /// A visitor over HTTP has another id with each call, so its device stands for it.
    fileprivate var watcher: String { client.isFramed ? client.id : caller.deviceID ?? caller.logName }
}
