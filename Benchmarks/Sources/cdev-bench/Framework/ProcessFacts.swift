import Glibc

/// What the kernel says about a process.
enum ProcessFacts {
    /// Resident memory in bytes.
    static func resident(_ pid: pid_t) -> Double {
        let fields = text("/proc/\(pid)/statm").split(separator: " ")
        return fields.count > 1 ? (Double(fields[1]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// Time on a processor, in nanoseconds, of each of its threads by number.
    static func processorTime(_ pid: pid_t) -> [pid_t: Double] {
        var times: [pid_t: Double] = [:]
        guard let directory = opendir("/proc/\(pid)/task") else { return times }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let thread = pid_t(name) else { continue }
            times[thread] = Double(text("/proc/\(pid)/task/\(name)/schedstat").split(separator: " ").first ?? "0")
        }
        return times
    }

    static func threadName(_ pid: pid_t, _ thread: pid_t) -> String {
        String(text("/proc/\(pid)/task/\(thread)/comm").prefix { $0 != "\n" })
    }

    /// The load of the last minute, and what kind of machine this is.
    static var machine: String {
        let model = text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = model?.split(separator: ":").last.map { $0.drop { $0 == " " } } ?? "unknown processor"
        let kernel = text("/proc/sys/kernel/osrelease").prefix { $0 != "\n" }
        return "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) × \(name), Linux \(kernel), load \(load)"
    }

    static var load: String {
        String(text("/proc/loadavg").prefix { $0 != " " })
    }

    static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
