import Glibc
import Platform
import Testing

@Suite struct WorkLaneTests {
    /// On Linux each thread has its own nice value.
    private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test(arguments: [(true, 5), (false, 0)]) func givesWayToTheLoopWhereItMay(_ givesWay: Bool, _ more: Int32) async {
        let lane = WorkLane(threads: 1, mostWeight: 1, givesWay: givesWay)
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
        #expect(await lane.run(weight: 1) { Self.niceness() } == own + more)
    }
}
