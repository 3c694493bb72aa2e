import Core
import Testing

/// Which notices are made, and when.
@Suite struct NoticeTimingTests {
    @Test func aHeldRequestIsToldAfterAMoment() {
        var stage = NoticeStage([NoticeStage.push, NoticeStage.ntfy])
        stage.open("r_1")
        #expect(stage.deliveries.isEmpty, "a rule may end it at once")
        stage.pass(0.2)
        #expect(stage.told() == ["r_1 loud 1"] && stage.told("ntfy") == ["r_1 loud 1"])
        #expect(stage.deliveries[0].notice.expires == stage.deliveries[0].notice.request?.deadline)
        #expect(stage.state.nextWake == nil)
    }

    @Test func whatARuleEndsAtOnceIsNotTold() {
        var stage = NoticeStage()
        stage.open("r_1")
        stage.end("r_1", by: .rule(id: "rule_1"))
        stage.pass(60)
        #expect(stage.deliveries.isEmpty)
    }

    @Test func whoeverLooksDelaysButDropsNothing() {
        var stage = NoticeStage()
        stage.perform([])
        stage.state.presence(of: "d_1", isVisible: true, idleFor: 30, at: stage.now)
        stage.open("r_1")
        stage.pass(9.9)
        #expect(stage.deliveries.isEmpty)
        stage.pass(0.1)
        #expect(stage.told() == ["r_1 loud 1"])
    }

    @Test func whoeverAnswersMeanwhileIsNotTold() {
        var stage = NoticeStage()
        stage.state.presence(of: "d_1", isVisible: true, idleFor: 0, at: stage.now)
        stage.open("r_1")
        stage.pass(5)
        stage.end("r_1")
        stage.pass(60)
        #expect(stage.deliveries.isEmpty)
    }

    @Test(arguments: [(true, 60.0), (true, 600), (false, 0)])
    func whoeverDoesNotLookDelaysNothing(isVisible: Bool, idle: Double) {
        var stage = NoticeStage()
        stage.state.presence(of: "d_1", isVisible: true, idleFor: 0, at: stage.now)
        stage.state.presence(of: "d_1", isVisible: isVisible, idleFor: idle, at: stage.now)
        stage.open("r_1")
        stage.pass(0.2)
        #expect(stage.told() == ["r_1 loud 1"])
    }

    @Test func lookingWearsOff() {
        var stage = NoticeStage()
        stage.state.presence(of: "d_1", isVisible: true, idleFor: 0, at: stage.now)
        #expect(stage.state.isInView(at: stage.now + 59.9))
        #expect(!stage.state.isInView(at: stage.now + 60))
        let set = Instant(wall: stage.now.wall + -3600, uptime: stage.now.uptime + 60)
        #expect(!stage.state.isInView(at: set), "a clock that was set back makes nobody look")
    }

    @Test func aClockThatWasSetBackDelaysNothing() {
        var stage = NoticeStage()
        stage.open("r_1")
        stage.now = Instant(wall: stage.now.wall + -3600, uptime: stage.now.uptime)
        stage.pass(0.2)
        #expect(stage.told() == ["r_1 loud 1"])
    }

    @Test func theCoolDownSilencesAndWithholdsNothing() {
        var stage = NoticeStage([NoticeStage.push, NoticeStage.ntfy])
        stage.open("r_1")
        stage.pass(1)
        stage.outcome(.delivered, of: 0)
        stage.outcome(.delivered, of: 1)
        stage.open("r_2")
        stage.open("r_3", session: "s2")
        stage.pass(1)
        #expect(stage.told("ntfy") == ["r_1 loud 1", "r_2 silent 2", "r_3 loud 1"], "each session has its own")
        let tags = stage.deliveries.filter { $0.channel == "push d_1" }.map(\.notice.tag)
        #expect(tags == ["cdev-r_1", "cdev-r_1", "cdev-r_3"], "in the same notification")
        stage.pass(30)
        stage.open("r_4")
        stage.pass(1)
        #expect(stage.told("ntfy").last == "r_4 loud 3")
        #expect(stage.deliveries.last?.notice.tag == "cdev-r_4")
    }

    @Test func requestsThatComeTogetherMakeOneSound() {
        var stage = NoticeStage()
        for id in ["r_1", "r_2", "r_3"] { stage.open(id) }
        stage.pass(1)
        #expect(stage.told() == ["r_1 loud 3"])
        stage.outcome(.delivered)
        #expect(stage.told() == ["r_1 loud 3", "r_3 silent 3"])
        stage.outcome(.delivered)
        #expect(stage.told().count == 2)
    }

    @Test func stopAndIdleOnlyWhereTheyAreAskedFor() {
        var quiet = NoticeStage()
        quiet.hear(.stop)
        quiet.hear(.notification, ["notification_type": "idle_prompt"])
        quiet.pass(60)
        #expect(quiet.deliveries.isEmpty)
        var stage = NoticeStage {
            $0.tellsStop = true
            $0.tellsIdle = true
        }
        stage.hear(.stop)
        stage.pass(1)
        stage.hear(.notification, ["notification_type": "idle_prompt"])
        stage.hear(.notification, ["notification_type": "permission_prompt"])
        stage.pass(1)
        #expect(stage.told() == ["stopped loud", "idle silent"])
        #expect(stage.deliveries.map(\.notice.tag) == ["stop-s1", "idle-s1"], "none takes the place of a request")
    }

    @Test func whoeverGoesOnIsNotToldThatClaudeStopped() {
        var stage = NoticeStage { $0.tellsStop = true }
        stage.state.presence(of: "d_1", isVisible: true, idleFor: 0, at: stage.now)
        stage.hear(.stop)
        stage.pass(5)
        stage.hear(.userPromptSubmit)
        stage.pass(60)
        #expect(stage.deliveries.isEmpty)
    }

    @Test func withoutAChannelNothingIsKept() {
        var stage = NoticeStage([])
        stage.open("r_1")
        stage.pass(1)
        #expect(stage.state.nextWake == nil && stage.state.reachable == 0)
    }
}
