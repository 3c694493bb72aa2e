import Agents
import Announce
import Core
import Glibc
import Rules
import Services
import Store
import Transport

extension Assembly {
    /// The stages, in the order in which they begin; they end in the reverse. Connections close before the parts they
    /// need end, and all pending writes are made before the store closes.
    var lifecycle: Lifecycle {
        Lifecycle([
            Stage("home", end: { [home = resources.home] in home.release() }),
            Stage("loop", end: { [loop = resources.loop] in await loop.stop() }),
            store,
            // Ends behind all that may tell of a session.
            Stage(
                "reports", begin: { [own = reports.own] in own.begin() },
                end: { [own = reports.own] in await own.end() }),
            Stage("observation", end: { [observation] in await observation.end() }),
            Stage("events", end: { [eventThreads] in await eventThreads.drain() }),
            Stage(
                "records",
                end: { [broker, devices, workspaces = observation.workspaces.manager] in
                    await broker.rememberSessions()
                    await devices.writeRevocations()
                    await workspaces.writeRemovals()
                    await workspaces.writeActivity(all: true)
                }),
            Stage("deadlines", end: { [environment] in environment.stop() }),
            Stage("notifications", end: { [notifier] in notifier.stop() }),
            requests,
            Stage(
                "run sessions", begin: { [runSessions] in await runSessions.begin() },
                end: { [runSessions] in await runSessions.end() }),
            Stage(
                "approvers",
                begin: { [approvers, changed] in
                    Task.detached { await approvers.follow(changed) }
                    await approvers.tell()
                }, end: { [changed] in changed.finish() }),
            Stage(
                "workspaces",
                begin: { [workspaces = observation.workspaces.manager] in Task.detached { await workspaces.follow() } },
                end: { [workspaces = observation.workspaces.manager] in workspaces.finish() }),
            network,
            announcement,
            socket,
            Stage("polls", end: { [polls] in polls.end() }),
            // Leaves held requests open: their relays look for the next daemon for a few seconds.
            Stage("holds", end: { [broker] in await broker.beginShutdown() }),
            recurringWork,
        ])
    }

    private var store: Stage {
        Stage(
            "store",
            end: { [broker, store = resources.store, log = resources.log] in
                do {
                    try await store.close(nextSequence: await broker.nextSequence)
                } catch {
                    log.error("the store was not closed cleanly: \(error)")
                }
            })
    }

    private var requests: Stage {
        Stage(
            "requests",
            begin: { [broker, devices, remembered = resources.remembered] in
                await broker.restore(devices.withoutRulesOfOthers(remembered))
            })
    }

    private var network: Stage {
        Stage(
            "network",
            begin: { [server, resources] in
                if let certificates = resources.certificates?.keeper { await server.serve(tls: certificates.context) }
                await server.serve(resources.listeners.main)
                if let bridge = resources.listeners.bridge { await server.serve(bridge) }
            }, end: { [server] in await server.stop() })
    }

    private var announcement: Stage {
        let announcement = Announcement.ofBridge(
            resources.listeners.bridge, resources.configuration, resources.log)
        return Stage(
            "announcement", begin: { announcement?.start() }, end: { announcement?.stop() })
    }

    /// Begins after the network, so that a client that finds the socket finds a complete daemon. The server closes it.
    private var socket: Stage {
        Stage(
            "socket",
            begin: { [server, options, addresses, home = resources.home] () async throws(StartError) in
                do throws(ListenError) { try await server.listen(unix: options.socket) } catch { throw .listen(error) }
                home.note(addresses: addresses)
            })
    }

    private var recurringWork: Stage {
        let repeaters = [heartbeat, sweep]
        return Stage(
            "recurring work",
            begin: { [hooks, keptFiles, transcripts = observation.transcripts] in
                for repeater in repeaters { repeater.start() }
                keptFiles.begin()
                transcripts.begin()
                Task.detached {
                    CommandTable.prepare()
                    hooks.begin()
                }
            },
            end: { [keptFiles] in
                keptFiles.end()
                for repeater in repeaters { repeater.cancel() }
            })
    }

    // MARK: Recurring work

    private var heartbeat: Repeater {
        let startedAt = resources.clock.now()
        return Repeater(every: 30, of: resources.clock) { [hub, observation, subscribers, clock = resources.clock] in
            observation.git.watcher.setSubscribed(subscribers.subscribedWorkspaces)
            let now = clock.now()
            let uptime = Int(now.uptime.seconds(since: startedAt.uptime))
            hub.publish(LiveEvent(at: now.wall, body: .heartbeat(uptime: uptime)))
        }
    }

    private var sweep: Repeater {
        let retention = Retention(days: resources.configuration.retentionDays)
        return Repeater(every: 60, of: resources.clock) {
            [devices, notifier, hooks, server, resources, keptFiles, workspaces = observation.workspaces.manager] in
            keptFiles.lookAgain()
            Task.detached {
                hooks.look()
                if let context = resources.certificates?.keeper.look(at: resources.clock.now().wall) {
                    await server.serve(tls: context)
                }
                await devices.lookAround()
                await notifier.pushes.writeForgotten()
                await workspaces.lookAround()
                do { try await resources.store.sweep(retention) } catch {
                    resources.log.warning("old entries were not removed: \(error)")
                }
            }
        }
    }
}
