package import Core
import Glibc
package import OrderedJSON
import Platform

/// What a call would change, looked up on the disk. It reads a file, which may take long: never call it on the loop's
/// thread.
package enum FilePreview {
    /// Nil where the tool changes no file and is no plan.
    /// - Parameter input: The request's, parsed: a large one is parsed again each time it is asked for.
    package static func make(
        of request: PermissionRequest, input: JSON, at place: RulePlace, judge: any RuleJudge
    ) -> Preview? {
        if request.toolName == "ExitPlanMode" {
            guard let plan = input["plan"]?.stringValue, !plan.isEmpty else {
                return .text(path: "", text: "", .emptyPlan)
            }
            return .plan(plan)
        }
        guard let change = FileChange(tool: request.toolName, input: input) else { return nil }
        do throws(PreviewRefusal) {
            if request.isUnverified { throw .unverified }
            let call = ToolCall(name: request.toolName, input: input, useID: nil)
            let path = try judge.previewPath(for: call, at: place).get()
            let (old, new) = try change.applied(to: try contents(of: path))
            return .diff(path: change.path, LineDiff(from: old, to: new, limit: shown))
        } catch {
            return .text(path: change.path, text: change.newText, error)
        }
    }

    /// Bytes of a file that is read, and of text in a difference.
    private static let longest = 1 << 20
    private static let shown = 2 << 20

    /// Nil where there is no such file. The path must be resolved: whatever lies there instead, by a link that was put
    /// in its place meanwhile, is not read.
    private static func contents(of path: String) throws(PreviewRefusal) -> [UInt8]? {
        var found = stat()
        // Opening a pipe would let its writer go on.
        if lstat(path, &found) == 0, found.st_mode & S_IFMT != S_IFREG { throw .notRegular }
        // Without O_NONBLOCK a pipe that took the file's place would be waited for.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return nil
            case ELOOP: throw .moved
            // A socket.
            case ENXIO: throw .notRegular
            default: throw .unreadable(SystemError.last.description.lowercased())
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard Self.path(of: file) == path else { throw .moved }
        guard status.st_size <= longest else { throw .large(bytes: longest) }
        guard let bytes = FileBytes.contents(of: file, size: Int(status.st_size)) else {
            throw .unreadable("a read failed")
        }
        return bytes
    }

    /// Where the kernel says that an open file lies.
    private static func path(of file: Int32) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/self/fd/\(file)", start, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return String(validating: buffer.prefix(count), as: UTF8.self)
        }
    }
}
