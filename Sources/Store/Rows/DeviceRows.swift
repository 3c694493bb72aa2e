import Core

extension Database {
    /// A revoked device stays revoked, even if a value that was read before the revocation is written after it.
    func write(_ device: Device) throws(StoreError) {
        try run(
            """
            INSERT INTO devices (
                id, kind, name, rights, platform, created_at, hash, family, previous, renewed_at, last_seen,
                last_address, revoked_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                hash = excluded.hash, previous = excluded.previous, renewed_at = excluded.renewed_at,
                last_seen = excluded.last_seen, last_address = excluded.last_address,
                revoked_at = coalesce(revoked_at, excluded.revoked_at)
            """,
            [
                .text(device.id), .text(device.credential.kind.rawValue), .text(device.name),
                SQLValue(device.rights.map(\.rawValue).sorted()), .text(device.platform), SQLValue(device.createdAt),
            ] + device.credential.columns + [
                SQLValue(device.lastSeen), SQLValue(device.lastAddress), SQLValue(device.revokedAt),
            ])
    }

    func deleteDevice(id: String) throws(StoreError) {
        try run("DELETE FROM devices WHERE id = ?", [.text(id)])
    }

    /// Oldest first.
    func devices() throws(StoreError) -> [Device] {
        try query(
            """
            SELECT id, kind, name, rights, platform, created_at, hash, family, previous, renewed_at, last_seen,
                last_address, revoked_at
            FROM devices ORDER BY created_at, id
            """, [], Device.init)
    }
}

extension Device.Credential {
    /// Bytes of one digest; the column `hash` holds several, one after the other.
    private static let digest = 32

    /// `hash`, `family`, `previous`, `renewed_at`.
    fileprivate var columns: [SQLValue] {
        switch self {
        case .paired(let chain):
            [
                .blob(Array(chain.current.joined())), .blob(chain.family),
                chain.previous.map { .blob($0) } ?? .null, SQLValue(chain.renewedAt),
            ]
        case .token(let hash): [.blob(hash), .null, .null, .null]
        }
    }

    fileprivate init(_ kind: Device.Kind, _ row: inout Row) throws(StoreError) {
        let hash = row.blob()
        let family = try row.optional { $0.blob() }
        let previous = try row.optional { $0.blob() }
        let renewedAt = try row.optional { $0.time() }
        guard kind == .paired else {
            self = .token(hash: hash)
            return
        }
        guard let family, let renewedAt else { throw StoreError(.corrupt, "a paired device has no refresh token") }
        let current = stride(from: 0, to: hash.count, by: Self.digest).map {
            Array(hash[$0..<min($0 + Self.digest, hash.count)])
        }
        self = .paired(RefreshChain(family: family, current: current, previous: previous, renewedAt: renewedAt))
    }
}

extension Device {
    fileprivate init(_ row: inout Row) throws(StoreError) {
        let id = row.text()
        let kind = try row.spelled(Kind.init(rawValue:))
        let name = row.text()
        let rights = Set(try row.strings().compactMap(Right.init(rawValue:)))
        let platform = row.text()
        let createdAt = row.time()
        let credential = try Credential(kind, &row)
        let lastSeen = try row.optional { $0.time() }
        let lastAddress = try row.optional { $0.text() }
        self.init(
            id: id, name: name, rights: rights, platform: platform, createdAt: createdAt, credential: credential,
            lastSeen: lastSeen, lastAddress: lastAddress, revokedAt: try row.optional { $0.time() })
    }
}
