import Core
import OrderedJSON
import Services
import Wire

/// Reads of workspaces.
struct WorkspaceMethods: MethodGroup {
    let viewers: SessionViewers
    let workspaces: any WorkspaceService

    var methods: [Method] { [get, list, status] }

    private var list: Method {
        Method(
            "workspace/list", right: .read, scheduling: .beside,
            summary: "The workspaces, by name: directories that a person added, and those in which a session was seen.",
            parameters: .integer(
                "git_limit", in: 0...WorkspaceBook.limit, default: 50,
                "with `include_git`: repositories that are asked, those of the workspaces that were active last"),
            .boolean("include_git", default: false, "tells of each workspace's repository"),
            result: .listing("workspaces", of: .workspace)
        ) { _, limit, includesGit in
            let views = await workspaces.workspaces(gitLimit: includesGit ? limit : 0)
            let listings = views.lazy.map { $0.listing(viewers: viewers.viewers) }
            return .object(Listing(listings, ceiling: FrameCeiling.answer).object("workspaces"))
        }
    }

    private var get: Method {
        Method(
            "workspace/get", right: .read, scheduling: .beside, summary: "One workspace, as in `workspace/list`.",
            shape: WorkspaceFields.either, result: .workspace
        ) { _, id async throws(JSONRPCError) in
            do throws(WorkspaceFailure) {
                return .object(try await workspaces.view(of: id).listing(viewers: viewers.viewers))
            } catch {
                throw error.rpcError
            }
        }
    }

    private var status: Method {
        Method(
            "workspace/status", right: .read, scheduling: .beside,
            summary: "A workspace with the sessions that run in it, its repository, and what is watched.",
            shape: WorkspaceFields.either, result: .workspaceStatus
        ) { _, id async throws(JSONRPCError) in
            do throws(WorkspaceFailure) {
                return .object(try await workspaces.status(of: id).listing(viewers: viewers.viewers))
            } catch {
                throw error.rpcError
            }
        }
    }
}
