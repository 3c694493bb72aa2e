import Core
import Testing

/// A deny for one call that the disk did not take.
@Suite struct UnwrittenDenyTests {
    /// A killed daemon would open the request again, and it could be allowed then.
    @Test func aPlainDenyThatCannotBeWrittenIsGivenAndNotConfirmed() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x", id: "t1"))
        stage.storeWorks = false
        guard case .failure(.unrecorded(let why)) = stage.respond("r_1", .deny) else {
            Issue.record("confirmed, though a killed daemon would ask again")
            return
        }
        #expect(why.contains("the call was denied") && why.contains("could not be written down"))
        #expect(stage.answers[waiter] == [.deny(message: "denied by phone")])
        #expect(stage.ends == ["deny by device phone"])
        #expect(stage.state.request(id: "r_1")?.resolution?.isConfirmed == false)
        stage.storeWorks = true
        stage.writeAppended()
        stage.kill()
        #expect(stage.pending.isEmpty, "written once the disk works")
    }

    @Test func aDenyIsConfirmedOnceItIsWrittenWhenItIsRepeated() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.storeWorks = false
        stage.respond("r_1", .deny)
        guard case .failure(.unrecorded) = stage.respond("r_1", .deny) else {
            Issue.record("confirmed, though a killed daemon would ask again")
            return
        }
        stage.storeWorks = true
        #expect((try? stage.respond("r_1", .deny)?.get())?.decision == .deny)
        stage.kill()
        #expect(stage.pending.isEmpty)
    }
}
