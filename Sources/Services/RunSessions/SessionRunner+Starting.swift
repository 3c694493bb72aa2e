import Core

/// The start of children, and what they report.
extension SessionRunner {
    /// A first child is started for who asked for the session, who may be revoked while the user's shell is waited for.
    /// Further ones are for everybody who prompts, and what a revoked device sent is not among their prompts.
    func spawn(_ launch: ChildLaunch) {
        let permit = launch.run == 1 ? CallPermit.current : nil
        Task {
            let started = await CallPermit.$current.withValue(permit) { await start(launch) }
            CallPermit.$current.withValue(nil) { follow(started, launch) }
        }
    }

    private func start(_ launch: ChildLaunch) async -> Result<any RunningChild, ChildFailure> {
        do throws(ChildFailure) {
            return .success(try await parts.children.start(launch, reporter(launch.session, launch.run)))
        } catch {
            return .failure(error)
        }
    }

    private func follow(_ started: Result<any RunningChild, ChildFailure>, _ launch: ChildLaunch) {
        switch started {
        case .success(let child): began(child, launch)
        case .failure(let failure):
            parts.log.warning("an agent could not be started", ["session": launch.session, "why": failure.reason])
            perform(
                state.spawnFailed(session: launch.session, run: launch.run, failure.reason, at: parts.clock.now()))
        }
    }

    private func began(_ child: any RunningChild, _ launch: ChildLaunch) {
        guard !isClosing else { return child.release() }
        let (session, run, now) = (launch.session, launch.run, parts.clock.now())
        children[session] = child
        perform(state.spawned(child.process, child.projectSettings, session: session, run: run, at: now))
    }

    func reporter(_ session: String, _ run: Int) -> ChildReporter {
        { [weak self] reports in
            // A child works for everybody who prompts it, whoever had it started.
            guard let self else { return 0 }
            return await CallPermit.$current.withValue(nil) { await self.take(reports, of: session, run) }
        }
    }
}
