import BothyAgent
import BothyClient
import BothyContract
import BothyWeb
import Foundation
import Hummingbird
import Logging
import NIOCore

/// Serves the web app on this device's own replica, to browsers on this machine.
actor DeviceWeb: AgentWeb {
    /// Where it is found as long as nobody else is there: browsers keep what they know of a page by its address.
    static let usualPort = 8421
    /// Ports that other homes than the usual one share out among them, so that each keeps its own.
    private static let otherPorts: UInt32 = 1000
    /// Ports that are tried, one after the other.
    private static let mostPorts = 20

    private let home: DeviceHome
    private let entrance: DeviceEntrance
    private let clock: any ClientClock
    private let logger: Logger
    private var serving: (address: String, task: Task<Void, any Error>)?
    /// One start for all who ask at the same moment: each of its own would take a port.
    private var starting: Task<String, any Error>?

    init(_ home: DeviceHome, device: DeviceScreens, clock: any ClientClock, logger: Logger) {
        self.home = home
        self.clock = clock
        self.logger = logger
        entrance = DeviceEntrance(home, device: device)
    }

    func serve() async throws -> String {
        if let serving { return serving.address }
        if let starting { return try await starting.value }
        let start = Task { try await self.start() }
        starting = start
        defer { starting = nil }
        return try await start.value
    }

    private func start() async throws -> String {
        let wanted = try await home.settings.webPort() ?? Self.port(of: home.directory)
        for port in wanted..<wanted + Self.mostPorts {
            do {
                let address = try await listen(on: port)
                try await home.settings.setWebPort(port)
                logger.info("The web app is served.", metadata: ["address": "\(address)"])
                return address
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                // Somebody else is there: another home's agent, or another program.
            }
        }
        throw ClientFailure(
            .agentFailed, "The web app cannot be served: the ports from \(wanted) on are in use.",
            remedy: "“ss -ltnp” shows which programs use them; stop one of them.")
    }

    func newEntry() async -> AgentWebEntry {
        let (token, used) = await entrance.newToken()
        return AgentWebEntry(token: token) { [clock] in
            await withTaskGroup { group in
                group.addTask { for await _ in used {} }
                group.addTask { try? await clock.sleep(seconds: DeviceEntrance.patience) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    func stop() async {
        _ = await starting?.result
        serving?.task.cancel()
        _ = await serving?.task.result
        serving = nil
    }

    // MARK: - Listening

    /// By the folder's path (FNV-1a), which stays when everything else of a home is made anew.
    private static func port(of directory: String) -> Int {
        if directory == DeviceHome.defaultDirectory(environment: ["HOME": NSHomeDirectory()]) { return usualPort }
        let hash = directory.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return usualPort + 1 + Int(hash % otherPorts)
    }

    private func listen(on port: Int) async throws -> String {
        let (running, isRunning) = AsyncStream<Void>.makeStream()
        // That browsers come and go is no news.
        var quiet = logger
        quiet.logLevel = .critical
        let application = Application(
            responder: try responder(port), configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { _ in isRunning.yield() }, logger: quiet)
        let task = Task {
            defer { isRunning.finish() }
            try await application.run()
        }
        guard await running.first(where: { _ in true }) != nil else {
            try await task.value
            throw CancellationError()
        }
        let address = "http://127.0.0.1:\(port)"
        serving = (address, task)
        return address
    }

    private func responder(_ port: Int) throws -> some HTTPResponder<BasicRequestContext> {
        let clock = clock
        let app = try WebApp(
            entrance: .device(entrance), settings: WebSettings(loopbackPort: port), secret: try home.formKey(),
            now: { clock.now() })
        let router = Router()
        router.add(middleware: MissingPages(app: app))
        for route in app.routes {
            router.on(RouterPath(route.path), method: route.method) { request, context -> Response in
                let id = context.parameters.get("id")
                guard id.map({ FileID.isPlausible($0) }) ?? true else { throw HTTPError(.notFound) }
                return try await route.answer(request, WebCaller(network: "127.0.0.1", isLocal: true, id: id))
            }
        }
        return router.buildResponder()
    }
}

/// Says in a page, to browsers, that an address leads nowhere.
private struct MissingPages: RouterMiddleware {
    typealias Context = BasicRequestContext

    let app: WebApp

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound && WebApp.isPersons(request) {
            return try await app.missing(request, WebCaller(network: "127.0.0.1", isLocal: true, id: nil))
        }
    }
}
