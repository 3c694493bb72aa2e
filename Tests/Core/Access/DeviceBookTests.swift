import Core
import Testing

struct DeviceBookTests {
    private static let start = Instant(milliseconds: 1_000_000)

    private func at(_ seconds: Double) -> Instant { Self.start + seconds }
    private func digest(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    private func token(_ id: String = "d_t", name: String = "script", hash: UInt8 = 50) -> Device {
        Device(
            id: id, name: name, rights: .approver, createdAt: Self.start.wall, credential: .token(hash: digest(hash)))
    }

    private func paired(_ id: String = "d_p", name: String = "phone", family: UInt8 = 60) -> Device {
        Device(
            id: id, name: name, rights: .viewer, createdAt: Self.start.wall,
            credential: .paired(
                RefreshChain(family: digest(family), current: [digest(family + 1)], renewedAt: Self.start.wall)))
    }

    @Test func knowsWhoseATokenIs() {
        var book = DeviceBook([token(), paired()])
        #expect(book.owner(of: digest(50), at: at(0))?.id == "d_t")
        #expect(book.owner(of: digest(50), at: at(1e9))?.id == "d_t", "it does not expire")
        #expect(book.owner(of: digest(61), at: at(0)) == nil, "a refresh token opens no door")
        #expect(book.owner(of: [], at: at(0)) == nil && book.owner(of: digest(51), at: at(0)) == nil)
        #expect(book.grantAccess(digest(70), to: "d_p", at: at(0)) == at(900).wall)
        #expect(book.owner(of: digest(70), at: at(899))?.id == "d_p")
        #expect(book.owner(of: digest(70), at: at(900)) == nil)
    }

    @Test func leavesOutTheRevoked() {
        var gone = token()
        gone.revokedAt = Self.start.wall
        #expect(DeviceBook([gone]).isEmpty)
        #expect(DeviceBook([gone]).owner(of: digest(50), at: at(0)) == nil)
    }

    @Test func aRemovedDeviceHasNothingLeft() {
        var book = DeviceBook([paired()])
        _ = book.grantAccess(digest(70), to: "d_p", at: at(0))
        #expect(book.remove("d_p")?.name == "phone" && book.remove("d_p") == nil)
        #expect(book.owner(of: digest(70), at: at(1)) == nil && !book.admits("d_p", at: at(1)))
        // Calls that were under way when the device was removed do not bring it back.
        _ = book.grantAccess(digest(71), to: "d_p", at: at(1))
        #expect(book.owner(of: digest(71), at: at(1)) == nil)
        #expect(book.see("d_p", from: "::1", at: at(1)) == false)
        #expect(book.refresh(family: digest(60), token: digest(61), next: digest(62), at: at(1)) == .unknown)
    }

    @Test func holdsFewAccessTokensOfEach() {
        var book = DeviceBook([paired(), paired("d_q", name: "tablet", family: 80)])
        _ = book.grantAccess(digest(1), to: "d_q", at: at(0))
        for number in UInt8(2)..<12 { _ = book.grantAccess(digest(number), to: "d_p", at: at(1)) }
        #expect(book.owner(of: digest(1), at: at(1))?.id == "d_q")
        let good = (UInt8(2)..<12).filter { book.owner(of: digest($0), at: at(1)) != nil }
        #expect(good == Array(4..<12))
    }

    @Test func refreshes() throws {
        var book = DeviceBook([paired(), token()])
        guard
            case .renewed(let after) = book.refresh(
                family: digest(60), token: digest(61), next: digest(62), at: at(900))
        else { throw Unexpected() }
        let before = paired()
        #expect(book["d_p"] == after && after.expiresAt == at(900 + Device.lifetime).wall)
        #expect(book.refresh(family: digest(1), token: digest(61), next: digest(9), at: at(900)) == .unknown)
        var written = book
        written.settle(digest(62), of: "d_p", isWritten: true)
        let sent = try #require(written["d_p"])
        #expect(
            written.refresh(family: digest(60), token: digest(99), next: digest(9), at: at(900)) == .replayed(sent))
        #expect(
            written.refresh(family: digest(60), token: digest(61), next: digest(9), at: at(961)) == .replayed(sent))
        book.settle(digest(62), of: "d_p", isWritten: false)
        #expect(book["d_p"] == before)
        let last = at(Device.lifetime)
        #expect(book.refresh(family: digest(60), token: digest(61), next: digest(9), at: last) == .expired(before))
    }

    /// A failed write is told later; a change made in between stays.
    @Test func undoesNothingThatWentOn() throws {
        var book = DeviceBook([paired()])
        guard
            case .renewed = book.refresh(family: digest(60), token: digest(61), next: digest(62), at: at(1)),
            case .renewed(let third) = book.refresh(
                family: digest(60), token: digest(62), next: digest(63), at: at(2))
        else { throw Unexpected() }
        book.settle(digest(62), of: "d_p", isWritten: false)
        #expect(book["d_p"] == third)
    }

    /// A copy of a device's storage is worth that long at most.
    @Test func endsSoManyDaysAfterItsPairingThoughItIsUsed() {
        let day: Double = 86_400
        var book = DeviceBook([token()], days: 10)
        book.add(paired())
        #expect(book.see("d_p", from: nil, at: at(6 * day)) && book.see("d_p", from: nil, at: at(9 * day - 1)))
        #expect(book.endingSoon(at: at(9 * day - 1)).isEmpty)
        #expect(book.endingSoon(at: at(9 * day)).map(\.id) == ["d_p"])
        #expect(book["d_p"]?.expiresAt == at(10 * day).wall && book.admits("d_p", at: at(10 * day - 1)))
        #expect(!book.admits("d_p", at: at(10 * day)) && book.expired(at: at(10 * day)).map(\.id) == ["d_p"])
        #expect(book.endingSoon(at: at(10 * day)).isEmpty)
        let reason = book["d_p"]?.reasonOfEnd(at: at(10 * day).wall)
        #expect(reason == "its 10 days are over (device_days)")
        #expect(book["d_p"]?.reasonOfEnd(at: at(9 * day).wall) == "it was not used for 7 days")
        #expect(book.admits("d_t", at: at(1000 * day)))
    }

    /// Or it would end at the upgrade, without a warning.
    @Test func hasItsDaysFromTheTimeSinceWhichDevicesHaveAny() {
        let device = paired().withTerm(notBefore: at(100 * 86_400).wall)
        var book = DeviceBook([device], days: 60)
        for day in stride(from: 6.0, through: 158, by: 1) { _ = book.see("d_p", from: nil, at: at(day * 86_400)) }
        #expect(book.expired(at: at(158 * 86_400)).isEmpty && book.endingSoon(at: at(158 * 86_400)).isEmpty)
        #expect(book.endingSoon(at: at(159.5 * 86_400)).map(\.id) == ["d_p"])
        #expect(book.expired(at: at(160 * 86_400)).map(\.id) == ["d_p"])
        #expect(paired().withTerm(notBefore: at(-86_400).wall) == paired(), "it was paired since")
    }

    @Test(arguments: [[UInt8(62), 63, 64], [64, 63, 62], [63, 62, 64]])
    func refreshesThatAllFailChangeNothing(_ order: [UInt8]) {
        var book = DeviceBook([paired()])
        for round in 0..<3 {
            for next in UInt8(62)...64 {
                _ = book.refresh(family: digest(60), token: digest(61), next: digest(next), at: at(Double(round)))
            }
            for next in order { book.settle(digest(next), of: "d_p", isWritten: false) }
            #expect(book["d_p"] == paired())
        }
        guard case .renewed = book.refresh(family: digest(60), token: digest(61), next: digest(65), at: at(600))
        else { return #expect(Bool(false), "the client has no other token") }
    }

    @Test func endsWhenItWasNotSeenForAWeek() {
        var book = DeviceBook([paired(), token()])
        let week = Device.lifetime
        #expect(book.expired(at: at(week - 1)) == [] && book.admits("d_p", at: at(week - 1)))
        #expect(book.expired(at: at(week)).map(\.id) == ["d_p"] && !book.admits("d_p", at: at(week)))
        #expect(book.see("d_p", from: "192.0.2.1", at: at(week - 1)) == true)
        #expect(book.expired(at: at(2 * week - 2)) == [] && book.expired(at: at(2 * week - 1)).map(\.id) == ["d_p"])
        #expect(book.see("d_p", from: "192.0.2.1", at: at(2 * week - 1)) == false, "too late")
        #expect(book.admits("d_t", at: at(100 * week)))
    }

    @Test func notesWhereItWasSeenAtMostOnceAMinute() {
        var book = DeviceBook([token()])
        #expect(book.see("d_t", from: "192.0.2.1", at: at(0)) == true)
        #expect(
            book.see("d_t", from: "192.0.2.1", at: at(59)) == false && book.see("d_t", from: nil, at: at(59)) == false)
        #expect(book.see("d_t", from: "192.0.2.2", at: at(59)) == true)
        #expect(book.see("d_t", from: nil, at: at(119)) == true)
        #expect(book["d_t"]?.lastSeen == at(119).wall && book["d_t"]?.lastAddress == "192.0.2.2")
        #expect(book.see("d_x", from: nil, at: at(0)) == false)
    }

    @Test func findsAFreeName() {
        var book = DeviceBook([token(name: "phone")])
        #expect(book.freeName("tablet") == "tablet" && book.freeName("phone") == "phone 2")
        book.add(token("d_2", name: "phone 2"))
        #expect(book.freeName("phone") == "phone 3")
        #expect(book.named("phone")?.id == "d_t" && book.named("tablet") == nil)
        #expect(book.list.map(\.name) == ["phone", "phone 2"])
    }

    private struct Unexpected: Error {}

    @Test func anAccessTokenEndsWhateverTheClockIsSetTo() {
        var book = DeviceBook([paired()])
        _ = book.grantAccess(digest(70), to: "d_p", at: at(0))
        let set = Instant(wall: at(-3600).wall, uptime: at(899).uptime)
        #expect(book.owner(of: digest(70), at: set) != nil)
        #expect(book.owner(of: digest(70), at: set + 1) == nil)
    }
}
