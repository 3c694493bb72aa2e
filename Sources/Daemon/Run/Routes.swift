import Compression
import Core
import Crypto
import Dialects
import Host
import QRCode
import Services

/// The parts that the dialects are made with.
struct RouteParts {
    let acp: ACPServices
    /// `nil` without a port for it.
    let bridge: ACPServices?
    let broker: Broker
    let certificates: Certificates?
    let claudiator: ClaudiatorServices
    let clients: ClientServices
    let clock: any TimeSource
    let devices: DeviceManager
    let links: AnswerLinks
    let log: any Log
    let openAI: OpenAIServices
    let ownReports: OwnSessionReports
    let pairing: PairingManager
    let places: WorkspaceRegister
    let processes: ProcessTable
    let refusals: RefusalLog
    let runs: RunProcesses

    /// All routes of the daemon: one entry for each dialect, or part of one.
    var routes: [Route] {
        let openAI = OpenAIRoutes(services: openAI)
        let all = [
            page(openAI).routes, answerLinks.routes, pairings.routes, ClientRoutes(services: clients).routes,
            ACPRoutes(services: acp).routes, hooks.routes, openAI.routes,
            ClaudiatorRoutes(services: claudiator).routes,
            bridge.map { BridgeRoutes(services: $0).routes } ?? [],
        ].flatMap(\.self)
        return all + SwaggerRoutes(beside: all, clock: clock).routes
    }

    private var answerLinks: AnswerLinkRoutes {
        AnswerLinkRoutes(links: AnswerLinkService(links: links, broker: broker), clock: clock, refusals: refusals)
    }

    private var hooks: HookRoutes {
        HookRoutes(
            broker: broker, clock: clock, places: places, runs: runs, log: BoundedLog(log, clock: clock),
            sha256: Digest.sha256,
            ancestor: { [processes] in processes.ancestor(of: $0, named: $1) },
            isDescendant: { [processes] in processes.isDescendant($0, of: $1) },
            noted: { [ownReports] in ownReports.noted($0) })
    }

    private func page(_ openAI: OpenAIRoutes) -> PageRoutes {
        let files = PageFiles(
            paths: WebFile.paths, load: { WebFile.all.map { ($0.path, $0.bytes) } }, sha256: Digest.sha256,
            gzip: { gzip($0) })
        return PageRoutes(files: files, authority: certificates?.authority?.certificate.der, clock: clock) {
            await openAI.health(for: $0)
        }
    }

    private var pairings: PairingRoutes {
        PairingRoutes(devices: devices, pairing: pairing, broker: broker, clock: clock, refusals: refusals) {
            text, size in
            QRCode(text).flatMap { $0.png(scale: size / $0.widthWithMargin) }
        }
    }
}
