import Core
import OrderedJSON
import Services
import Wire

/// The result of `workspace/files/list`. It ends where a frame is full; `pagination` then says how many entries it has.
struct FileListingBody {
    let json: JSON

    init(_ query: FileListQuery, _ listing: FileListing) {
        let page = listing.page
        var left = FrameCeiling.answer - 1024
        var directories: [JSON] = []
        var files: [JSON] = []
        for directory in page.directories {
            guard Self.add(directory.listing(in: query.directory, listing.git), to: &directories, &left) else { break }
        }
        if directories.count == page.directories.count {
            for file in page.files {
                guard Self.add(file.listing(in: query.directory, listing.git), to: &files, &left) else { break }
            }
        }
        let given = directories.count + files.count
        let isCut = given < page.directories.count + page.files.count
        let total = page.totalDirectories + page.totalFiles
        var object: JSONObject = [
            "directory": .string(query.directory.text), "directories": .array(directories), "files": .array(files),
            "total_files": .count(page.totalFiles), "total_directories": .count(page.totalDirectories),
            "pagination": [
                "limit": .count(isCut ? given : query.limit), "offset": .count(query.offset),
                "has_more": .bool(query.offset < total && query.offset + given < total),
            ],
        ]
        if page.isPartial { object["partial"] = true }
        json = .object(object)
    }

    private static func add(_ object: JSONObject, to list: inout [JSON], _ left: inout Int) -> Bool {
        let entry = JSON.object(object)
        left -= entry.length + 1
        if left >= 0 { list.append(entry) }
        return left >= 0
    }
}

extension FoundDirectory {
    fileprivate func listing(in directory: WorkspacePath, _ git: GitNames?) -> JSONObject {
        let path = directory.appending(name)
        var object: JSONObject = [
            "path": .string(path.text), "name": .string(name), "file_count": .count(fileCount),
            "total_size_bytes": .count(totalSize), "last_modified": .time(modifiedAt),
        ]
        if isCountPartial { object["count_partial"] = true }
        if isLink { object["is_symlink"] = true }
        if path.isSensitive || target?.isSensitive == true { object["is_sensitive"] = true }
        if git?.ignored.contains(name) == true { object["git_ignored"] = true }
        return object
    }
}

extension FoundFile {
    fileprivate func listing(in directory: WorkspacePath, _ git: GitNames?) -> JSONObject {
        let path = directory.appending(name)
        var object: JSONObject = [
            "path": .string(path.text), "name": .string(name), "directory": .string(directory.text),
            "extension": .string(WorkspacePath.fileExtension(of: name)), "size_bytes": .count(size),
            "modified_at": .time(modifiedAt), "is_binary": .bool(isBinary), "is_symlink": .bool(isLink),
            "is_sensitive": .bool(path.isSensitive || target?.isSensitive == true),
            "git_tracked": .bool(git?.tracked.contains(name) == true),
            "git_ignored": .bool(git?.ignored.contains(name) == true),
        ]
        if let obstacle { object["obstacle"] = .string(obstacle.words) }
        return object
    }
}

/// The result of `workspace/file/get`.
struct FileContentBody {
    let json: JSON

    init(_ path: WorkspacePath, _ content: FileContent, isFramed: Bool) {
        let content = isFramed ? Self.fitting(content, beside: JSON.string(path.text).length) : content
        var object: JSONObject = [
            "path": .string(path.text), "content": Self.text(of: content),
            "encoding": content.isBinary ? "base64" : "utf-8", "truncated": .bool(content.isTruncated),
            "size": .count(content.bytes.count),
        ]
        if content.isTruncated { object["file_size"] = .count(content.size) }
        json = .object(object)
    }

    private static func text(of content: FileContent) -> JSON {
        .string(content.isBinary ? Base64.encode(content.bytes) : String(decoding: content.bytes, as: UTF8.self))
    }

    /// As much as a frame holds: a character may take six bytes there.
    private static func fitting(_ content: FileContent, beside others: Int) -> FileContent {
        let room = FrameCeiling.answer - 512 - others
        var content = content
        while true {
            let length = text(of: content).length
            if length <= room { return content }
            // In proportion, and a little less, so that a few turns suffice.
            content = content.shortened(to: Int(Double(content.bytes.count) * Double(room) / Double(length)) - 16)
        }
    }
}

extension Schema {
    static var fileListing: Schema {
        .object([
            "directory": .string, "directories": .list(listedDirectory), "files": .list(listedFile),
            "total_files": .count, "total_directories": .count,
            "pagination": .object([
                "limit": .count.meaning("less than was asked for where a frame is full"), "offset": .count,
                "has_more": .boolean,
            ]),
            "partial": .boolean.optional.meaning("the directory has more names than are read (200,000)"),
        ])
    }

    static var fileContent: Schema {
        .object([
            "path": .string, "content": .string, "encoding": .choice(["utf-8", "base64"]), "truncated": .boolean,
            "size": .count.meaning("bytes of the content that is returned"),
            "file_size": .count.optional.meaning("bytes of the whole file, where it is truncated"),
        ])
    }

    private static let listedDirectory = object([
        "path": .string, "name": .string, "file_count": .count.meaning("files below it, at any depth"),
        "total_size_bytes": .count, "last_modified": .time,
        "count_partial": .boolean.optional.meaning("there is more below it than was counted"),
        "is_symlink": .boolean.optional, "is_sensitive": .boolean.optional, "git_ignored": .boolean.optional,
    ]).named("ListedDirectory")

    private static let listedFile = object([
        "path": .string, "name": .string, "directory": .string, "extension": .string, "size_bytes": .count,
        "modified_at": .time, "is_binary": .boolean, "is_symlink": .boolean,
        "is_sensitive": .boolean.meaning("its content needs the right to drive"),
        "git_tracked": .boolean.meaning("false also where git knows nothing"), "git_ignored": .boolean,
        "obstacle": .string.optional.meaning("why its content cannot be read"),
    ]).named("ListedFile")
}
