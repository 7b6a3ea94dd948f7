import BothyContract
import BothyServer
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore

/// The routes on a real SQLite database in a folder of their own, called in process.
///
/// Who calls is what the bearer token says, `<drive>.<device>`, without accounts: see ``TestCaller``.
final class TestServer: Sendable {
    /// What routes are made of.
    struct Parts: Sendable {
        var folder: TemporaryFolder
        var database: SQLiteDatabase
        var clock: TestClock
        var stamps: StampSource
        var notifier: Notifier
        var links: DownloadLinks
        var signer: URLSigner
        var mutations: Mutations
        var restores: DriveRestores
        var packs: any PackStore
    }

    let parts: Parts
    let router: APIRouter
    private let application: Application<RouterResponder<APIContext>>

    var database: SQLiteDatabase { parts.database }
    var clock: TestClock { parts.clock }
    var notifier: Notifier { parts.notifier }

    /// - Parameters:
    ///   - signedIn: routes of the test's own, beside those of files, revisions and changes.
    ///   - drives: created before the first call.
    ///   - packs: where contents lie.
    init(
        limits: Notifier.Limits = Notifier.Limits(), drives: [Int64] = [1, 2],
        packs: any PackStore = MemoryPacks(),
        open: @Sendable (Parts) async throws -> [any APIRoutes] = { _ in [] },
        signedIn: @Sendable (Parts) async throws -> [any APIRoutes] = { _ in [] }
    ) async throws {
        let parts = try await Self.parts(limits, packs)
        self.parts = parts
        let files: [any APIRoutes] = [
            FileRoutes(database: parts.database, mutations: parts.mutations, links: parts.links),
            RevisionRoutes(
                database: parts.database, packs: parts.packs, mutations: parts.mutations, links: parts.links),
            RestoreRoutes(restores: parts.restores),
            SearchRoutes(search: DriveSearch(database: parts.database, packs: packs), links: parts.links),
            RequestRoutes(database: parts.database, stamps: parts.stamps),
            ChangeRoutes(
                database: parts.database, notifier: parts.notifier,
                sessions: DeviceSessions(database: parts.database, clock: parts.clock), links: parts.links),
        ]
        router = APIRouter(
            open: try await open(parts), signedIn: files + (try await signedIn(parts)),
            authentication: TestAuthentication())
        application = Application(responder: router.responder)
        for drive in drives { try await addDrive(drive) }
    }

    private static func parts(_ limits: Notifier.Limits, _ packs: any PackStore) async throws -> Parts {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        let clock = TestClock()
        let stamps = StampSource(clock: clock, lived: { Int64(clock.uptimeSeconds()) })
        let notifier = Notifier(clock: clock, limits: limits)
        let signer = URLSigner(key: SymmetricKey(size: .bits256))
        return Parts(
            folder: folder, database: database, clock: clock, stamps: stamps, notifier: notifier,
            links: DownloadLinks(signer: signer, clock: clock), signer: signer,
            mutations: Mutations(database: database, stamps: stamps, notifier: notifier),
            restores: DriveRestores(database: database, stamps: stamps, notifier: notifier, clock: clock), packs: packs)
    }

    func addDrive(_ id: Int64, quota: Int64? = nil, mostItems: Int64? = nil) async throws {
        let now = clock.now()
        try await database.write { db in
            try Drives.create(in: db, driveId: id, ownerId: id, quota: quota, mostItems: mostItems, now: now)
            try db.execute(
                "INSERT INTO accounts (user_id, email, email_key, display_name, password, created_ms) VALUES (?, ?, ?, ?, '', ?)",
                [id.sql, "\(id)@example.org".sql, "\(id)@example.org".sql, "\(id)".sql, now.sql])
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, as caller: TestCaller? = .kitchen, body: ByteBuffer? = nil,
        headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        var headers = headers
        if let caller { headers[.authorization] = "Bearer \(caller.token)" }
        let fields = headers
        return try await application.test(.router) { client in
            TestAnswer(try await client.executeRequest(uri: path, method: method, headers: fields, body: body))
        }
    }

    /// Sends a value as JSON.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as caller: TestCaller? = .kitchen, json: some Encodable,
        headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        let text = String(decoding: try WireCoding.encode(json), as: UTF8.self)
        return try await send(method, path, as: caller, text: text, headers: headers)
    }

    /// Sends text that says to be JSON.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as caller: TestCaller? = .kitchen, text: String,
        headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await send(method, path, as: caller, body: ByteBuffer(string: text), headers: headers)
    }
}

/// A device of an account, as the test's tokens name it.
struct TestCaller: Hashable, Sendable {
    var driveId: Int64
    var deviceId: String

    static let kitchen = TestCaller(driveId: 1, deviceId: "kitchen")
    static let phone = TestCaller(driveId: 1, deviceId: "phone")
    static let stranger = TestCaller(driveId: 2, deviceId: "stranger")

    var token: String { "\(driveId).\(deviceId)" }
    var caller: Caller { Caller(userId: driveId, driveId: driveId, deviceId: deviceId) }
}

private struct TestAuthentication: RouterMiddleware {
    typealias Context = APIContext

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let parts = (request.headers[.authorization] ?? "").dropFirst("Bearer ".count).split(separator: ".")
        guard parts.count == 2, let drive = Int64(parts[0]) else { throw Problem(.signInRequired, "Sign in first.") }
        var context = context
        context.caller = TestCaller(driveId: drive, deviceId: String(parts[1])).caller
        return try await next(request, context)
    }
}

/// An answer, read as a test wants it.
struct TestAnswer: Sendable {
    var status: Int
    var headers: HTTPFields
    var body: ByteBuffer

    init(_ response: TestResponse) {
        status = Int(response.status.code)
        headers = response.headers
        body = response.body
    }

    var text: String { String(buffer: body) }
    var cursor: String? { headers[.bothyCursor] }
    var eTag: String? { headers[.eTag] }

    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try WireCoding.decode(type, from: Data(buffer: body))
    }

    func file() throws -> File { try json() }
    func problem() throws -> Problem { try json() }
    /// The problem's code; nil for an answer that is none.
    var code: ProblemCode? {
        guard headers[.contentType] == Problem.mediaType else { return nil }
        return try? problem().code.known
    }
}
