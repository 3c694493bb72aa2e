/// Runs tasks that take long on one thread beside the event loop. At each suspension of a task another task gets its
/// turn. A second thread would double the memory in use and take more processor time from the loop.
package final class LaneExecutor: TaskExecutor {
    /// Jobs weigh 0, so the lane never refuses one.
    private let lane = WorkLane(threads: 1, mostWeight: .max)

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = lane.start(weight: 0) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
