/// Runs tasks off the loop, on one thread: answers that take long to make. Between two parts of a task others get their
/// turn; two at a time would take twice the memory, and twice the processor from the loop.
package final class LaneExecutor: TaskExecutor {
    private let lane = WorkLane(threads: 1, mostWeight: .max)

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = lane.start(weight: 0) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
