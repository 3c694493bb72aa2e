import Glibc

/// The programs that are measured, as an installation has them: copied, so that a file has the layout on disk (and in
/// memory) that an installed one has. What the linker wrote piece by piece starts up to a fifth slower.
struct Programs {
    let cdev: String
    let relay: String
    /// The relay in C that does the least.
    let floor: String
    /// This program, for parts that need a process of their own.
    let bench: String

    init(into directory: String) throws {
        let own = try Self.ownPath()
        let build = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
        bench = own
        cdev = try Self.copy("cdev", from: build, into: directory)
        relay = try Self.copy("cdev-hook", from: build, into: directory)
        floor = try Self.copy("cdev-bench-floor", from: build, into: directory)
    }

    private static func ownPath() throws -> String {
        guard let path = realpath("/proc/self/exe", nil) else { throw BenchError.system("finding this program") }
        defer { free(path) }
        return String(cString: path)
    }

    private static func copy(_ name: String, from build: String, into directory: String) throws -> String {
        let source = "\(build)/\(name)"
        guard access(source, X_OK) == 0 else {
            throw BenchError("\(source) is missing; docs/performance.md says how to build it")
        }
        let target = "\(directory)/\(name)"
        let status = try Launch("/bin/cp", [source, target]).run().status
        guard status == 0 else { throw BenchError("\(source) could not be copied") }
        return target
    }

    /// Where a tool of this machine is; nil where it has none.
    static func find(_ name: String) -> String? {
        for directory in ["/usr/bin", "/bin", "/usr/sbin", "/usr/local/bin"] {
            let path = "\(directory)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        return nil
    }

    static func need(_ name: String, from package: String) throws -> String {
        guard let path = find(name) else { throw BenchError("\(name) is not installed (Debian: \(package))") }
        return path
    }
}
