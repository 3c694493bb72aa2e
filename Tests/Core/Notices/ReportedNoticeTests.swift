import Core
import Testing

/// What channels are told that take reports of sessions.
@Suite struct ReportedNoticeTests {
    private static let both = [NoticeStage.app, NoticeStage.push]

    @Test func reportsGoToAppsAndRequestsToTheOthers() {
        var stage = NoticeStage(Self.both)
        stage.open("r_1")
        stage.reportOpen("r_1", as: "n1")
        stage.pass(1)
        for index in stage.deliveries.indices { stage.outcome(.delivered, of: index) }
        stage.report(NoticeStage.report("n2"))
        stage.pass(1)
        stage.end("r_1")
        #expect(stage.told("apns ab") == ["n1 loud", "n2 loud"])
        #expect(stage.told() == ["r_1 loud 1", "r_1 ended silent"])
        let deadline = stage.deliveries.first { $0.channel == "apns ab" }?.notice.expires
        #expect(deadline == NoticeStage().now.wall + 60)
    }

    @Test func nobodyTakesReportsWhereNoAppIsRegistered() {
        var stage = NoticeStage()
        stage.report(NoticeStage.report("n1"))
        stage.pass(1)
        #expect(stage.deliveries.isEmpty && !stage.state.takesReports)
    }

    @Test func whatWasAnsweredIsNotTold() {
        var stage = NoticeStage([NoticeStage.app])
        stage.open("r_1")
        stage.reportOpen("r_1", as: "n1")
        stage.end("r_1")
        stage.pass(1)
        #expect(stage.deliveries.isEmpty)
    }

    /// A push that failed is not tried again once its question has its answer.
    @Test func whatWasAnsweredIsNotTriedAgain() {
        var stage = NoticeStage([NoticeStage.app])
        stage.open("r_1")
        stage.reportOpen("r_1", as: "n1")
        stage.pass(1)
        stage.outcome(.failed("busy", isFinal: false))
        stage.end("r_1")
        stage.pass(100)
        #expect(stage.told("apns ab") == ["n1 loud"])
    }

    @Test func whoLooksIsToldLater() {
        var stage = NoticeStage([NoticeStage.app])
        stage.state.presence(of: "page", isVisible: true, idleFor: 0, at: stage.now)
        stage.report(NoticeStage.report("n1"))
        stage.pass(9)
        #expect(stage.deliveries.isEmpty)
        stage.pass(2)
        #expect(stage.told("apns ab") == ["n1 loud"])
    }

    @Test func aLaterOneOfTheSessionReplacesOneThatWaits() {
        var stage = NoticeStage([NoticeStage.app])
        for id in ["n1", "n2"] { stage.report(NoticeStage.report(id)) }
        stage.report(NoticeStage.report("n3", session: "s2"))
        stage.pass(1)
        #expect(stage.told("apns ab") == ["n2 loud", "n3 loud"])
    }

    @Test func aFailingAppIsTriedAgainWithItsPauses() {
        var stage = NoticeStage([NoticeStage.app])
        stage.report(NoticeStage.report("n1"))
        stage.pass(1)
        for _ in 0..<3 {
            stage.outcome(.failed("it answered 503", isFinal: false, retryAfter: 20))
            stage.pass(31)
        }
        stage.outcome(.failed("it answered 503", isFinal: false))
        stage.pass(1000)
        #expect(stage.told("apns ab").count == 4 && stage.state.reachable == 0)
        stage.report(NoticeStage.report("n2"))
        stage.pass(1)
        stage.outcome(.delivered)
        #expect(stage.state.reachable == 1)
    }

    @Test func anAppThatIsGoneIsDropped() {
        var stage = NoticeStage([NoticeStage.app])
        stage.report(NoticeStage.report("n1"))
        stage.pass(1)
        stage.outcome(.gone)
        #expect(stage.dropped == ["apns ab"] && stage.state.overview.isEmpty)
    }

    /// Pairing a phone changes what a channel counts for, not what it did.
    @Test func aChannelThatChangesKeepsItsHealth() {
        var stage = NoticeStage([NoticeStage.app])
        stage.report(NoticeStage.report("n1"))
        stage.pass(1)
        stage.outcome(.delivered)
        stage.state.update(NoticeChannel(id: "apns ab", answers: false, gathers: true, takesReports: true))
        #expect(stage.state.reachable == 0 && stage.state.overview.map(\.health.delivered) == [1])
    }

    /// The prompt and the agent's words leave the machine only where `include_details` says so.
    @Test(arguments: [
        (false, "Permission Required", "Permission required: Bash"),
        (true, "fix it", "Permission required: Bash — touch x"),
    ])
    func theTextHasDetailsWhereTheyAreAskedFor(details: Bool, title: String, body: String) throws {
        let reported = try #require(NoticeStage.report("n1", "PermissionRequest", message: "touch x"))
        let notice = Notice(
            subject: .reported(reported), tag: "t", isSilent: false, expires: Timestamp(milliseconds: 0))
        let text = NoticeText(notice, includesDetails: details)
        #expect((text.title, text.body) == (title, body))
    }
}
