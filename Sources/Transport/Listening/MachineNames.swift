import Crypto
import Glibc

/// The names and addresses by which other machines may reach this one.
package enum MachineNames {
    /// The machine's name as it is, without its domain, and with `.local`: `desk.example`, `desk`, `desk.local`. Empty
    /// where the machine has no usable name.
    static var hosts: [String] {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard case .host(let full)? = CertificateName(name), full != "localhost" else { return [] }
        let first = full.prefix { $0 != "." }
        return Set([full, String(first), "\(first).local"]).sorted()
    }

    /// The machine's name without its domain.
    package static var first: String { hosts.first { !$0.contains(".") } ?? "this machine" }

    /// The numeric addresses of every network interface that is up, IPv4 first. Link-local IPv6 addresses are left out:
    /// no link can hold the zone that they need.
    static var addresses: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [[UInt8]] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_UP) != 0,
                let bytes = bytes(address), !found.contains(bytes)
            else { continue }
            found.append(bytes)
        }
        return (found.filter { $0.count == 4 } + found.filter { $0.count == 16 }).map(NumericAddress.text)
    }

    private static func bytes(_ address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6:
            let bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
            return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? nil : bytes
        default: return nil
        }
    }
}
