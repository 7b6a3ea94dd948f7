import BothyContract
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Puts a server together from its configuration, and runs it.
package struct ServerAssembly: Sendable {
    /// What runs may take this long to finish after SIGTERM, in seconds; what is left is then broken off.
    package static let drainSeconds = 8
    /// Seconds for what was broken off to let go. A process that has not by then is ended as it is: a service manager would do so
    /// after ten.
    package static let lettingGoSeconds = 2

    package let config: ServerConfig
    package let services: ServerServices
    package let router: APIRouter
    let metrics: ServerMetrics
    let logger: Logger

    /// - Parameter pages: what is served beside the API, to people.
    /// - Throws: ``ServerFault`` in words for a person.
    package static func make(
        _ config: ServerConfig, ground: ServerServices.Ground = .init(), logger: Logger,
        pages: (ServerServices) async throws -> [any APIRoutes] = { _ in [] }
    ) async throws -> ServerAssembly {
        let services = try await ServerServices.open(config, ground: ground, logger: logger)
        let metrics = ServerMetrics()
        metrics.add { await services.gauges() }
        let others: [any APIRoutes]
        do {
            others = try await pages(services)
        } catch {
            // What went wrong first is what is told.
            _ = await Self.failure { try await services.abandon(logger, isUsed: false) }
            throw error
        }
        let router = Self.router(config, services, metrics, logger, others)
        return ServerAssembly(config: config, services: services, router: router, metrics: metrics, logger: logger)
    }

    private static func router(
        _ config: ServerConfig, _ services: ServerServices, _ metrics: ServerMetrics, _ logger: Logger,
        _ pages: [any APIRoutes]
    ) -> APIRouter {
        let (database, packs) = (services.database, services.packs)
        let (mutations, links) = (services.mutations, services.links)
        return APIRouter(
            open: [
                OperationsRoutes(readiness: services.readiness),
                SignInRoutes(accounts: services.accounts),
                ContentRoutes(
                    database: database, packs: packs, media: services.media, signer: services.signer,
                    sessions: services.sessions, clock: services.clock),
            ] + pages,
            signedIn: [
                DeviceRoutes(accounts: services.accounts),
                AboutRoutes(accounts: services.accounts, hasFeed: services.hasFeed),
                InviteRoutes(accounts: services.accounts),
                AccountRoutes(accounts: services.accounts, export: services.export),
                StorageRoutes(database: database),
                FileRoutes(database: database, mutations: mutations, links: links),
                RevisionRoutes(database: database, packs: packs, mutations: mutations, links: links),
                RestoreRoutes(restores: services.restores),
                SearchRoutes(search: services.search, links: links),
                FeedGate(
                    isOpen: services.hasFeed,
                    routes: [
                        PostRoutes(posts: services.posts),
                        ScheduledPostRoutes(posts: services.posts),
                        CommentRoutes(comments: services.comments),
                        PostSearchRoutes(posts: services.posts, hashtags: services.hashtags),
                        NotificationRoutes(notifications: services.notifications),
                        DraftRoutes(drafts: services.drafts),
                        FeedMarkerRoutes(markers: services.markers),
                        PersonRoutes(people: services.people, faces: services.faces),
                        ReportRoutes(moderation: services.moderation),
                    ]),
                UploadRoutes(sessions: services.uploads, simple: services.simpleUploads),
                ContentBatchRoutes(database: database, packs: packs),
                RequestRoutes(database: database, stamps: services.stamps),
                ChangeRoutes(
                    database: database, notifier: services.notifier, sessions: services.sessions, links: links),
            ],
            authentication: Authentication(tokens: services.tokens, sessions: services.sessions),
            outer: [
                ClientAddresses(
                    trustedProxies: config.trustedProxies, isPublic: config.publicURL != nil,
                    notice: ForwardingNotice.make(config, logger: logger)),
                RequestLog(metrics: metrics, logger: logger),
            ])
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameters:
    ///   - lettingGoSeconds: after which the process is ended, where what was broken off has not let go.
    ///   - onListening: called once, with where a person on this machine reaches the server.
    package func run(
        lettingGoSeconds: Int = Self.lettingGoSeconds, onListening: @escaping @Sendable (String) async -> Void
    ) async throws {
        let door = Door()
        let failure = await Self.failure {
            let configuration = try whatRuns(lettingGoSeconds) { address in
                door.open()
                await onListening(address)
            }
            try await ServiceGroup(configuration: configuration).run()
        }
        let closing = await Self.failure {
            if failure == nil { return try await services.close() }
            try await services.abandon(logger, isUsed: door.wasOpen)
        }
        if let failure = failure as? IOError { throw ServerFault(failure, listeningOn: config.listen, "--listen") }
        if let failure { throw failure }
        if let closing {
            throw ServerFault(
                .failed, "Bothy could not close its data in order: \(closing). Acknowledged files are safe.")
        }
    }

    /// Everything that runs, and how it ends.
    private func whatRuns(
        _ lettingGoSeconds: Int, onListening: @escaping @Sendable (String) async -> Void
    ) throws -> ServiceGroupConfiguration {
        var running: [any Service] = [
            NotifierClock(notifier: services.notifier),
            AdminSocket(services.folder, commands: AdminCommands(services), logger: logger),
        ]
        running += services.jobRunners(logger) { [metrics] in metrics.answered }
        let tls = try config.tls.map { try TLSReloader($0, logger: logger) }
        if let tls { running.append(tls) }
        if let address = config.metricsListen { running.append(MetricsListener(metrics, on: address, config, logger)) }
        let scheme = tls == nil ? "http" : "https"
        let listen = config.listen
        running.append(
            HTTPListener.application(router.responder, on: listen, config: config, tls: tls, logger: logger) {
                channel in
                let port = channel.localAddress?.port ?? listen.port
                await onListening("\(scheme)://\(listen.reachable(port: port))")
            })
        // The last one hears first that the server is to stop.
        running.append(MediaEnd(media: services.media))
        var group = ServiceGroupConfiguration(
            services: running, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(Self.drainSeconds)
        group.maximumCancellationDuration = .seconds(lettingGoSeconds)
        return group
    }

    private static func failure(of body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }
}

/// Whether anybody could reach the server.
private final class Door: Sendable {
    private let state = Mutex(false)

    var wasOpen: Bool { state.withLock { $0 } }

    func open() { state.withLock { $0 = true } }
}

extension ServerFault {
    /// - Parameter option: which names the address.
    init(_ error: IOError, listeningOn address: ListenAddress, _ option: String) {
        let reason = String(cString: strerror(error.errnoCode))
        let hint =
            error.errnoCode == EADDRINUSE ? " Another program listens there: stop it, or choose another \(option)." : ""
        self.init(.failed, "Bothy cannot listen on \(address): \(reason).\(hint)")
    }
}
