import Core
import Testing

/// What follows from the outcomes of attempts.
@Suite struct NoticeDeliveryTests {
    private static let busy = NoticeOutcome.failed("it answered 500", isFinal: false)
    private static let refused = NoticeOutcome.failed("it answered 403", isFinal: true)

    private func told(_ channels: [NoticeChannel] = [NoticeStage.push]) -> NoticeStage {
        var stage = NoticeStage(channels)
        stage.open("r_1")
        stage.pass(1)
        return stage
    }

    @Test func whatIsAnsweredElsewhereIsReplacedSilently() {
        var stage = told([NoticeStage.push, NoticeStage.ntfy])
        stage.outcome(.delivered, of: 0)
        stage.outcome(.delivered, of: 1)
        stage.end("r_1", by: .device(name: "phone"))
        #expect(stage.told() == ["r_1 loud 1", "r_1 ended silent"])
        #expect(stage.told("ntfy") == ["r_1 loud 1", "r_1 ended silent"])
        #expect(stage.deliveries[2].notice.tag == stage.deliveries[0].notice.tag)
    }

    @Test func aCorrectionIsNoNews() {
        var stage = told()
        stage.outcome(.delivered)
        stage.end("r_1", corrects: true)
        #expect(stage.deliveries.count == 1)
    }

    @Test func theReplacementWaitsForWhatItReplaces() {
        var stage = told()
        stage.end("r_1")
        #expect(stage.deliveries.count == 1, "nothing overtakes")
        stage.outcome(.delivered)
        #expect(stage.told() == ["r_1 loud 1", "r_1 ended silent"])
    }

    @Test func whatNeverArrivedIsNotReplaced() {
        var stage = told()
        stage.end("r_1")
        stage.outcome(Self.busy)
        stage.pass(200)
        #expect(stage.told() == ["r_1 loud 1"])
    }

    @Test func anotherOpeningIsToldAgain() {
        var stage = told()
        stage.outcome(.delivered)
        stage.end("r_1", by: .timeout)
        stage.outcome(.delivered)
        stage.pass(60)
        stage.open("r_1", opening: 2)
        stage.pass(1)
        #expect(stage.told().last == "r_1 loud 1")
    }

    @Test func aNotificationGoesOnForTheRequestsLeftInIt() {
        var stage = told([NoticeStage.push, NoticeStage.ntfy])
        stage.outcome(.delivered, of: 0)
        stage.outcome(.delivered, of: 1)
        stage.open("r_2")
        stage.pass(1)
        stage.outcome(.delivered, of: 2)
        stage.outcome(.delivered, of: 3)
        stage.end("r_1")
        #expect(stage.told() == ["r_1 loud 1", "r_2 silent 2", "r_2 silent 1"])
        #expect(stage.told("ntfy") == ["r_1 loud 1", "r_2 silent 2", "r_1 ended silent"])
    }

    @Test func aFailureIsTriedAgainWithPauses() {
        var stage = told()
        let start = stage.now
        var times: [Double] = []
        for _ in 0..<3 {
            stage.outcome(Self.busy)
            let count = stage.deliveries.count
            while stage.deliveries.count == count, let next = stage.state.nextWake {
                stage.pass(next.seconds(since: stage.now.uptime))
            }
            times.append(stage.now.uptime.seconds(since: start.uptime))
        }
        #expect(times == [2, 10, 40])
        #expect(stage.told() == Array(repeating: "r_1 loud 1", count: 4))
        #expect(stage.state.reachable == 1, "it may still arrive")
        stage.outcome(Self.busy)
        #expect(stage.state.reachable == 0)
    }

    @Test func noAttemptIsMadeBeyondTheDeadline() {
        var stage = told()
        stage.pass(58.5)
        stage.outcome(Self.busy)
        #expect(stage.state.reachable == 0 && stage.deliveries.count == 1)
    }

    @Test(arguments: [(5.0, 5.0), (1, 2), (3600, 0)])
    func theOtherSideSaysHowLongToWait(wanted: Double, pause: Double) {
        var stage = told()
        stage.outcome(.failed("it answered 429", isFinal: false, retryAfter: wanted))
        if pause == 0 {
            #expect(stage.state.reachable == 0, "60 s at most, and that is too late here")
        } else {
            #expect(stage.state.nextWake == stage.now.uptime + pause)
        }
    }

    @Test func aFinalFailureEndsReachAndADeliveryBringsItBack() {
        var stage = told([NoticeStage.ntfy, NoticeStage.webhook])
        #expect(stage.state.reachable == 1, "a webhook that gives no answers is nobody to ask")
        stage.outcome(Self.refused, of: 0)
        stage.outcome(Self.refused, of: 1)
        #expect(stage.state.reachable == 0)
        #expect(stage.state.overview.map(\.health.failure) == ["it answered 403", "it answered 403"])
        stage.open("r_2", session: "s2")
        stage.pass(1)
        stage.outcome(.delivered, of: 2)
        #expect(stage.deliveries[2].channel == "ntfy" && stage.state.reachable == 1)
    }

    @Test func aFinalFailureCountsAlthoughTheRequestHasEndedMeanwhile() {
        var stage = told([NoticeStage.ntfy])
        stage.end("r_1")
        stage.outcome(Self.refused)
        #expect(stage.state.overview.map(\.health.failure) == ["it answered 403"] && stage.state.reachable == 0)
        stage.pass(300)
        #expect(stage.told("ntfy") == ["r_1 loud 1", "r_1 ended silent"], "it is tried again, to see if it works")
        stage.outcome(.delivered)
        #expect(stage.state.reachable == 1 && stage.state.nextWake == nil)
    }

    @Test func aFailingChannelIsTriedWithTheRequestWhileItIsOpen() {
        var stage = NoticeStage([NoticeStage.ntfy]) { $0.probing = 10 }
        stage.open("r_1")
        stage.pass(1)
        stage.outcome(Self.refused)
        stage.pass(10)
        #expect(stage.told("ntfy") == ["r_1 loud 1", "r_1 loud 1"])
        stage.outcome(.delivered)
        #expect(stage.state.reachable == 1 && stage.state.nextWake == nil)
    }

    @Test func aFailingChannelIsTriedSilentlyWithWhatEnded() {
        var stage = told([NoticeStage.ntfy])
        stage.outcome(Self.refused)
        stage.end("r_1")
        for attempt in 1...3 {
            stage.pass(300)
            #expect(stage.told("ntfy") == ["r_1 loud 1"] + Array(repeating: "r_1 ended silent", count: attempt))
            stage.outcome(Self.busy)
        }
        stage.pass(100_000)
        stage.outcome(Self.busy)
        let count = stage.deliveries.count
        stage.pass(100_000)
        #expect(stage.deliveries.count == count, "after a day it is left alone")
        #expect(stage.state.reachable == 0)
    }

    @Test func aTestBringsReachBack() {
        var stage = told([NoticeStage.ntfy])
        stage.outcome(Self.refused)
        stage.perform(stage.state.tested("ntfy", .delivered, at: stage.now))
        #expect(stage.state.reachable == 1 && stage.state.nextWake == nil)
        stage.perform(stage.state.tested("ntfy", Self.busy, at: stage.now))
        #expect(stage.state.reachable == 0)
    }

    @Test func whoIsGoneIsForgotten() {
        var stage = told()
        stage.outcome(.gone)
        #expect(stage.dropped == ["push d_1"] && stage.state.reachable == 0 && stage.state.overview.isEmpty)
        stage.end("r_1")
        stage.pass(1000)
        #expect(stage.deliveries.count == 1)
    }

    /// A page sends its subscription each time it connects.
    @Test func aChannelThatIsAddedAgainGoesOn() {
        var stage = told()
        stage.outcome(.delivered)
        stage.state.add(NoticeStage.push)
        stage.end("r_1")
        #expect(stage.told() == ["r_1 loud 1", "r_1 ended silent"], "what was told is replaced")
        stage.outcome(Self.refused)
        stage.state.add(NoticeStage.push)
        #expect(stage.state.reachable == 0, "what failed has not arrived by that")
        stage.pass(300)
        #expect(stage.told().count == 3, "and is tried again")
    }

    @Test func anOutcomeNobodyWaitsForIsNothing() {
        var stage = told()
        stage.state.remove(channel: "push d_1")
        stage.outcome(.delivered)
        stage.perform(stage.state.ended(99, .delivered, at: stage.now))
        #expect(stage.deliveries.count == 1)
    }
}
