import Core
import Dialects
import Services

extension FakeDaemon {
    func presence(of caller: Caller, isVisible: Bool, idleFor seconds: Double) {
        told.append("presence \(isVisible) \(seconds)")
    }

    func pushKey() throws(NoticeFailure) -> String {
        if isStoreBroken { throw .unable("no key") }
        return "BKEY"
    }

    func subscribe(_ keys: PushKeys, by caller: Caller) throws(NoticeFailure) {
        if keys.endpoint.isEmpty { throw .invalid("no endpoint") }
        told.append("subscribe \(keys.endpoint) \(keys.p256dh) \(keys.authentication)")
    }

    func test() -> [ChannelTest] {
        [ChannelTest(channel: "ntfy", failure: nil), ChannelTest(channel: "webhook", failure: "it answered 500")]
    }

    func unsubscribe(_ caller: Caller) throws(NoticeFailure) -> Bool { told.isEmpty == false }
}
