import Notify
import Testing

/// Without a server: what is refused before a byte leaves. The rest is in the end-to-end tests.
@Suite(.timeLimit(.minutes(1))) struct CourierTests {
    private func failure(of parcel: Parcel, by courier: Courier = Courier(seconds: 5)) async -> String {
        defer { courier.stop() }
        guard case .failed(let reason) = await courier.send(parcel) else { return "" }
        return reason
    }

    @Test func aForeignAddressOnThisMachineIsNotConnectedTo() async {
        for host in ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254"] {
            let reason = await failure(of: Parcel(url: "https://\(host)/x", body: [1], isForeign: true))
            #expect(reason == "its address is in a private network" || host == "[::1]", "\(host): \(reason)")
        }
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "dict://127.0.0.1/x"])
    func onlyHTTPIsSpoken(url: String) async {
        #expect(await failure(of: Parcel(url: url, body: [])).contains("not supported"))
    }

    @Test func aForeignAddressIsSpokenToOverTLSOnly() async {
        #expect(await failure(of: Parcel(url: "http://8.8.8.8/", body: [], isForeign: true)).contains("not supported"))
    }

    @Test func nobodyListens() async {
        #expect(await failure(of: Parcel(url: "http://127.0.0.1:1/", body: [])).isEmpty == false)
    }

    @Test func whatComesAfterTheEndFails() async {
        let courier = Courier()
        courier.stop()
        #expect(await courier.send(Parcel(url: "http://127.0.0.1:1/", body: [])) == .failed("the daemon is stopping"))
    }
}
