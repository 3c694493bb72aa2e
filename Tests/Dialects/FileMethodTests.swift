import Core
import Dialects
import OrderedJSON
import Platform
import Services
import Testing
import Wire

/// What the methods for files answer: the shapes are those that phone clients read.
@Suite struct FileMethodTests {
    private let files = FakeFiles()

    private func answer(
        _ method: String, _ params: JSON, rights: Set<Right> = .viewer, isFramed: Bool = true
    ) async throws -> JSON? {
        let group = FileMethods(files: files)
        let dispatcher = Dispatcher(
            access: FakeDaemon(), table: MethodTable([group]), mostAnswered: .max
        ) { .invalidRequest("\($0.name) needs \($1.rawValue)") }
        let client = FakeClient(rights: rights, as: .device(id: "d", name: "phone"), isFramed: isFramed)
        let payload = JSONRPC.decode(Array(call(method, params).utf8))
        let bytes = await dispatcher.reply(to: payload, from: client)
        let reply = try JSON(parsing: try #require(bytes))
        if let result = reply["result"], let declared = group.methods.first(where: { $0.name == method }) {
            #expect(SchemaCheck.complaints(about: result, declared.result) == [])
        }
        return reply
    }

    /// The example of the specification.
    private func page() -> DirectoryPage {
        var src = FoundDirectory(name: "src", modifiedAt: moment(0))
        (src.fileCount, src.totalSize) = (42, 156_000)
        var readme = FoundFile(name: "README.md", modifiedAt: moment(0))
        readme.size = 1595
        return DirectoryPage(
            directories: [src], files: [readme], totalDirectories: 3, totalFiles: 5, isPartial: false)
    }

    @Test(arguments: ["workspace/files/list", "file/list"]) func aListingHasTheShapeOfTheSpecification(
        method: String
    ) async throws {
        files.listing.withLock { $0 = FileListing(page: page(), git: nil) }
        let reply = try await answer(
            method, ["workspace_id": "ws-abc123", "directory": "", "limit": 2, "offset": 0])
        #expect(
            reply?["result"] == [
                "directory": "",
                "directories": [
                    [
                        "path": "src", "name": "src", "file_count": 42, "total_size_bytes": 156_000,
                        "last_modified": "2026-11-20T10:30:00Z",
                    ]
                ],
                "files": [
                    [
                        "path": "README.md", "name": "README.md", "directory": "", "extension": "md",
                        "size_bytes": 1595, "modified_at": "2026-11-20T10:30:00Z", "is_binary": false,
                        "is_symlink": false, "is_sensitive": false, "git_tracked": false, "git_ignored": false,
                    ]
                ],
                "total_files": 5, "total_directories": 3, "pagination": ["limit": 2, "offset": 0, "has_more": true],
            ])
        #expect(
            files.asked == [
                "list ws-abc123 '' 2 from 0"
            ])
    }

    @Test func whatIsUnusualIsSaid() async throws {
        var page = page()
        page.isPartial = true
        page.directories = [".git", "node_modules", "l"].map { FoundDirectory(name: $0, modifiedAt: moment(0)) }
        page.directories[1].isCountPartial = true
        page.directories[2].isLink = true
        page.files = [".env", "notes", "p"].map { FoundFile(name: $0, modifiedAt: moment(0)) }
        page.files[1].target = try WorkspacePath(".env")
        page.files[2].obstacle = .special
        let git = GitNames(tracked: ["notes"], ignored: ["node_modules", ".env"])
        files.listing.withLock { $0 = FileListing(page: page, git: git) }
        let result = try await answer("workspace/files/list", ["workspace_id": "w", "directory": "a//b/"])?["result"]
        #expect(result?["directory"] == "a/b" && result?["partial"] == true)
        let directories = result?["directories"]?.arrayValue ?? []
        #expect(directories[0]["is_sensitive"] == true && directories[0]["count_partial"] == nil)
        #expect(directories[1]["git_ignored"] == true && directories[1]["count_partial"] == true)
        #expect(directories[2]["is_symlink"] == true && directories[2]["path"] == "a/b/l")
        let found = result?["files"]?.arrayValue ?? []
        #expect(found[0]["is_sensitive"] == true && found[0]["git_ignored"] == true)
        #expect(found[1]["is_sensitive"] == true && found[1]["git_tracked"] == true)
        #expect(found[2]["obstacle"] == "it is a device, a pipe or a socket")
    }

    /// Names may be long; a client that goes on behind the last entry leaves none out.
    @Test func aListingFillsAFrameAndNoMore() async throws {
        var page = page()
        page.directories = []
        let long = String(repeating: "\u{1}", count: 250)
        page.files = (0..<500).map { FoundFile(name: long + "\($0)", modifiedAt: moment(0)) }
        (page.totalFiles, page.totalDirectories) = (500, 0)
        files.listing.withLock { $0 = FileListing(page: page, git: nil) }
        let reply = try await answer("workspace/files/list", ["workspace_id": "w", "limit": 500])
        let count = try #require(reply?["result"]?["files"]?.arrayValue?.count)
        #expect(count > 200 && count < 500 && (reply?.serializedBytes().count ?? 0) < FrameCeiling.bytes)
        let pagination: JSON = ["limit": .number(JSONNumber(count)), "offset": 0, "has_more": true]
        #expect(reply?["result"]?["pagination"] == pagination)
    }

    /// The example of the specification.
    @Test(arguments: ["workspace/file/get", "file/get"]) func contentHasTheShapeOfTheSpecification(
        method: String
    ) async throws {
        let text = "import { App } from './app';\n\nconst app = new App();\napp.run();"
        files.content.withLock { $0 = FileContent(Array(text.utf8), size: Int64(text.utf8.count)) }
        let reply = try await answer(method, ["workspace_id": "ws-abc123", "path": "src/main.ts"])
        #expect(
            reply?["result"] == [
                "path": "src/main.ts", "content": .string(text), "encoding": "utf-8", "truncated": false,
                "size": .number(JSONNumber(text.utf8.count)),
            ])
        #expect(files.asked == ["get ws-abc123 'src/main.ts' 512000"])
    }

    @Test func whatIsNoTextIsBase64() async throws {
        files.content.withLock { $0 = FileContent([0x89, 0x50, 0x4E, 0x47, 0], size: 9) }
        let reply = try await answer("file/get", ["path": "a.png", "max_size_kb": 10_000])
        #expect(
            reply?["result"] == [
                "path": "a.png", "content": "iVBORwA=", "encoding": "base64", "truncated": true, "size": 5,
                "file_size": 9,
            ])
        #expect(files.asked == ["get only 'a.png' 10240000"])
    }

    /// Over a WebSocket what a frame holds, cut between characters; over HTTP all of it.
    @Test(arguments: ["\u{1}", "é", "x\n", "\0"]) func contentFillsAFrameAndNoMore(piece: String) async throws {
        let bytes = Array(String(repeating: piece, count: 900_000).utf8)
        files.content.withLock { $0 = FileContent(bytes, size: Int64(bytes.count)) }
        let reply = try await answer("file/get", ["path": "a", "max_size_kb": 10_000])
        let length = reply?.serializedBytes().count ?? 0
        #expect(length < FrameCeiling.bytes && length > FrameCeiling.bytes - 40_000)
        #expect(reply?["result"]?["truncated"] == true)
        let whole = try await answer("file/get", ["path": "a", "max_size_kb": 10_000], isFramed: false)
        #expect(whole?["result"]?["size"] == .number(JSONNumber(bytes.count)))
        #expect(whole?["result"]?["truncated"] == false)
    }

    @Test(
        arguments: [
            (["path": ""], "\"path\" is required"), (["path": "."], "must name a file"),
            (["path": "../x"], "leave the workspace"),
            (["path": "/etc/passwd"], "without a slash"), (["path": "a\u{0}b"], "NUL"),
            (["path": 7], "must be a string"),
            (["path": "a", "max_size_kb": 10_001], "1 to 10000"), (["path": "a", "max_size_kb": 0], "1 to 10000"),
        ] as [(JSON, String)])
    func badParametersAreRefusedByName(params: JSON, words: String) async throws {
        let error = try await answer("file/get", params)?["error"]
        #expect(error?["code"] == -32602 && error?["message"]?.stringValue?.contains(words) == true)
        #expect(files.asked == [])
    }

    @Test(arguments: ["workspace/file/get", "workspace/files/list", "workspace/files/watch", "workspace/files/unwatch"])
    func theWorkspaceIsRequired(method: String) async throws {
        let error = try await answer(method, ["path": "a"])?["error"]
        #expect(error?["code"] == -32602 && error?["message"]?.stringValue?.contains("workspace_id") == true)
    }

    @Test(
        arguments: [
            (FileFailure.late, -32023, "in a moment"), (.noWorkspaces, -32602, "workspace/add"),
            (.obstacle(.missing, path: "a"), -32020, "no such file"),
            (.obstacle(.leaves, path: "a"), -32022, "leads out"),
            (.obstacle(.special, path: "a"), -32021, "a pipe"), (.sensitive(path: ".env"), -32600, "drive rights"),
            (.unknownWorkspace(id: "x"), -32602, "\"x\""), (.tooManyWatches(limit: 8), -32023, "8 directories"),
            (.unwatchable(path: ".git"), -32602, "told nobody"),
        ] as [(FileFailure, Int, String)])
    func failuresAreSentences(failure: FileFailure, code: Int, words: String) async throws {
        files.failure.withLock { $0 = failure }
        let calls = ["file/get", "file/list", "workspace/files/watch", "workspace/files/unwatch"]
        for method in calls {
            let error = try await answer(method, ["path": "a", "workspace_id": "w"])?["error"]
            #expect(error?["code"] == .number(JSONNumber(code)))
            #expect(error?["message"]?.stringValue?.contains(words) == true)
        }
    }

    @Test func severalWorkspacesAreNamed() async throws {
        let workspaces = ["ws-1", "ws-2"].map {
            Workspace(
                id: $0, name: "n \($0)", path: "/p", origin: .added, createdAt: moment(0), lastActive: moment(0))
        }
        files.failure.withLock { $0 = .several(workspaces) }
        let error = try await answer("file/list", [:])?["error"]
        #expect(error?["message"]?.stringValue?.contains("ws-1 (n ws-1), ws-2 (n ws-2)") == true)
        #expect(error?["data"] == ["workspaces": ["ws-1", "ws-2"]])
    }

    @Test func foldersAreWatched() async throws {
        let reply = try await answer("workspace/files/watch", ["workspace_id": "w", "directory": "src"])
        #expect(
            reply?["result"] == [
                "success": true, "workspace_id": "w", "directory": "src", "seconds": 120, "polled": true,
            ])
        let ended = try await answer("workspace/files/unwatch", ["workspace_id": "w", "directory": "src"])
        #expect(ended?["result"] == ["success": true, "existed": true])
        #expect(files.asked == ["watch w 'src' 120 client-1", "unwatch w 'src' client-1"])
        _ = try await answer("workspace/files/watch", ["workspace_id": "w"], isFramed: false)
        #expect(files.asked.last == "watch w '' 120 d")
    }

    @Test(arguments: ["workspace/file/get", "file/list"]) func whoMayNotReadIsRefused(method: String) async throws {
        #expect(try await answer(method, ["path": "a"], rights: [.report])?["error"]?["code"] == -32600)
    }

    @Test func aChangeIsEncodedAsItsSchemaSays() throws {
        let change = WatchedChange(
            path: try WorkspacePath("src/b"), kind: .renamed, oldPath: try WorkspacePath("src/a"))
        let event = LiveEvent(at: moment(0), workspaceID: "ws-1", sessionID: "", body: .fileChanged(change))
        let sent = try JSON(parsing: EventEncoder.encode(.live(event)))
        #expect(sent["method"] == "event/file_changed")
        #expect(
            sent["params"] == [
                "path": "src/b", "change": "renamed", "old_path": "src/a", "session_id": "", "workspace_id": "ws-1",
                "timestamp": "2026-11-20T10:30:00Z",
            ])
        let schema = EventKind.fileChanged.notification.parameters
        #expect(SchemaCheck.complaints(about: sent["params"] ?? .null, schema) == [])
    }
}

/// Answers what the test gave it and remembers what it was asked.
final class FakeFiles: FileService {
    let listing = Locked(
        FileListing(
            page: DirectoryPage(
                directories: [], files: [], totalDirectories: 0, totalFiles: 0, isPartial: false), git: nil))
    let content = Locked(FileContent([], size: 0))
    let failure = Locked<FileFailure?>(nil)
    private let calls = Locked<[String]>([])

    var asked: [String] { calls.withLock { $0 } }

    private func note(_ text: String) throws(FileFailure) {
        calls.withLock { $0.append(text) }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    func list(_ query: FileListQuery, by caller: Caller) async throws(FileFailure) -> FileListing {
        try note("list \(query.workspace.words) '\(query.directory.text)' \(query.limit) from \(query.offset)")
        return listing.withLock { $0 }
    }

    func content(_ query: FileQuery, by caller: Caller) async throws(FileFailure) -> FileContent {
        try note("get \(query.workspace.words) '\(query.path.text)' \(query.limit)")
        return content.withLock { $0 }
    }

    func watch(
        _ folder: FolderQuery, seconds: Int, by client: String, of owner: String?
    ) async throws(FileFailure) -> FolderWatch {
        try note("watch \(folder.workspace.words) '\(folder.directory.text)' \(seconds) \(client)")
        return FolderWatch(workspaceID: "w", isPolled: true)
    }

    func unwatch(_ folder: FolderQuery, by client: String) async throws(FileFailure) -> Bool {
        try note("unwatch \(folder.workspace.words) '\(folder.directory.text)' \(client)")
        return true
    }
}

extension WorkspaceChoice {
    fileprivate var words: String {
        switch self {
        case .id(let id): id
        case .only: "only"
        }
    }
}
