import COpenSSL

/// This machine's own certificate authority: a P-256 key and a certificate with name constraints, so that a stolen key
/// cannot impersonate the rest of the internet.
package struct CertificateAuthority: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey

    private static let day: Int64 = 86_400
    /// Seconds by which validity begins early, so that a client whose clock is behind accepts a new certificate.
    private static let backdated: Int64 = 3600
    /// Apple's systems accept server certificates of at most 398 days; one day is a margin.
    private static let leafLife = 397 * day
    private static let life = 3650 * day

    /// Makes a new authority certificate for a key, which may be an old one.
    /// - Parameters:
    ///   - names: names it may certify beside `localhost`, `local` names and private networks.
    ///   - time: seconds since 1970.
    package init(key: PrivateKey, names: [CertificateName], at time: Int64) throws(CryptoError) {
        let builder = try CertificateBuilder(
            subject: "cdev authority of \(Self.label(names))", key: key, from: time - Self.backdated,
            until: time - Self.backdated + Self.life)
        try builder.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try builder.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try builder.add(NID_subject_key_identifier, "hash")
        try builder.add(NID_name_constraints, "critical," + Self.permitted(names).joined(separator: ","))
        certificate = try builder.signed(by: key, issuer: nil)
        self.key = key
    }

    /// Reads an existing authority certificate (PEM). Throws if `key` does not belong to it.
    package init(certificate: [UInt8], key: PrivateKey) throws(CryptoError) {
        self.certificate = try Certificate.list(pem: certificate)[0]
        self.key = key
        guard self.certificate.isKey(key) else { throw CryptoError("the key does not belong to the certificate") }
    }

    /// True if the name constraints of the authority permit `name`.
    package func covers(_ name: CertificateName) -> Bool {
        let probe = try? leaf(names: [name], key: key, from: certificate.validFrom, until: certificate.validUntil)
        guard let probe else { return false }
        return copenssl_covers(certificate.pointer, probe.pointer) == 1
    }

    /// Issues a certificate with a new key for a server of these names, valid for 397 days or until the authority
    /// expires.
    /// - Parameter time: seconds since 1970.
    package func issue(names: [CertificateName], at time: Int64) throws(CryptoError) -> ServerCertificate {
        let key = try PrivateKey.p256()
        let start = max(time - Self.backdated, certificate.validFrom)
        // The first and the last second are both valid, so a whole number of days ends one second earlier.
        let end = min(start + Self.leafLife - 1, certificate.validUntil)
        let hosts = names.filter(\.isHost)
        let named =
            hosts.isEmpty || hosts.count == names.count
            ? nil : try leaf(names: hosts, key: key, from: start, until: end)
        return ServerCertificate(
            certificate: try leaf(names: names, key: key, from: start, until: end), named: named,
            issuers: [certificate], key: key)
    }

    private func leaf(
        names: [CertificateName], key: PrivateKey, from: Int64, until: Int64
    ) throws(CryptoError) -> Certificate {
        let builder = try CertificateBuilder(subject: "cdev", key: key, from: from, until: until)
        try builder.add(NID_basic_constraints, "critical,CA:FALSE")
        try builder.add(NID_key_usage, "critical,digitalSignature")
        try builder.add(NID_ext_key_usage, "serverAuth")
        try builder.add(NID_subject_key_identifier, "hash", issuer: certificate)
        try builder.add(NID_authority_key_identifier, "keyid:always", issuer: certificate)
        try builder.add(NID_subject_alt_name, names.map(\.notation).joined(separator: ","))
        return try builder.signed(by: self.key, issuer: certificate)
    }

    /// Networks that are not routed on the internet: loopback, private, link-local, and carrier-grade NAT (used by
    /// tailnets).
    private static let networks = [
        "127.0.0.0/255.0.0.0", "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0",
        "169.254.0.0/255.255.0.0", "100.64.0.0/255.192.0.0", "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "fc00::/fe00::", "fe80::/ffc0::",
    ]

    private static func permitted(_ names: [CertificateName]) -> [String] {
        var seen: Set<String> = []
        let own = names.map { name in
            switch name {
            case .address(let text) where text.contains(":"): "IP:\(text)/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
            case .address(let text): "IP:\(text)/255.255.255.255"
            case .host(let text): "DNS:\(text)"
            }
        }
        let all = ["DNS:local", "DNS:localhost"] + own + networks.map { "IP:\($0)" }
        return all.filter { seen.insert($0).inserted }.map { "permitted;\($0)" }
    }

    /// The first host name, so that a phone's list tells the authorities of several machines apart. Cut to 40
    /// characters, because a common name has at most 64.
    private static func label(_ names: [CertificateName]) -> String {
        for case .host(let name) in names where name != "localhost" { return String(name.prefix(40)) }
        return "this machine"
    }
}
