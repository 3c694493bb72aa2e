import Core
import Store
import Testing

struct NoticeRowTests {
    private static func subscription(_ device: String, _ endpoint: String = "https://push.example/1")
        -> PushSubscription
    {
        PushSubscription(
            deviceID: device, deviceName: "phone", endpoint: endpoint, p256dh: [4, 1], authentication: [2],
            createdAt: Timestamp(milliseconds: 1000))
    }

    private static func link(_ number: UInt8, expires: Int64 = 9000, used: Int64? = nil) -> AnswerLink {
        AnswerLink(
            hash: [number], requestID: "r_1", opening: 2, verb: .deny, channel: "ntfy", destination: [7, 8],
            createdAt: Timestamp(milliseconds: 1000), expiresAt: Timestamp(milliseconds: expires),
            usedAt: used.map { Timestamp(milliseconds: $0) })
    }

    @Test func aDeviceHasOneSubscription() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.keep(Self.subscription("d_1"))
        try await store.keep(Self.subscription("d_2"))
        try await store.keep(Self.subscription("d_1", "https://push.example/2"))
        let kept = try await directory.snapshot().open().store.pushSubscriptions()
        #expect(kept == [Self.subscription("d_1", "https://push.example/2"), Self.subscription("d_2")])
        try await store.forgetPushSubscription(device: "d_1")
        #expect(try await store.pushSubscriptions() == [Self.subscription("d_2")])
    }

    @Test func deadLinksGo() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        for number in UInt8(1)...3 { try await store.keep(Self.link(number)) }
        try await store.forgetAnswerLinks([[1], [3], [9]])
        try await store.forgetAnswerLinks([])
        let later = try await directory.snapshot().open().store
        #expect(try await later.answerLinks(at: Timestamp(milliseconds: 1)) == [Self.link(2)])
    }

    @Test func aUsedLinkStaysUsedAndAnOldOneGoes() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.keep(Self.link(1))
        try await store.keep(Self.link(2, expires: 5000))
        try await store.keep(Self.link(1, used: 2000))
        let later = try await directory.snapshot().open().store
        #expect(try await later.answerLinks(at: Timestamp(milliseconds: 4999)).count == 2)
        #expect(try await later.answerLinks(at: Timestamp(milliseconds: 5000)) == [Self.link(1, used: 2000)])
        #expect(try await later.answerLinks(at: Timestamp(milliseconds: 4000)) == [Self.link(1, used: 2000)])
    }
}
