import BothyClient
import BothyContract
import BothyHosting
import BothyServer
import FolderConformance
import Foundation
import Logging
import NIOCore

/// A real server's services on a folder of their own, and a person who came in by a browser.
struct HostedWorld: FolderWorld {
    static let password = "correct horse battery"

    let services: ServerServices
    let browsers: HostedBrowsers
    let ticket: String
    let account: BrowserAccount
    private let caller: Caller
    private let path: String

    var folders: any FolderRepository { account.folders }
    var actions: any FileActions { account.actions }
    var trashCan: any TrashRepository { account.trash }
    var stars: any StarredRepository { account.starred }

    static func open() async throws -> HostedWorld {
        let path = NSTemporaryDirectory() + "bothy-test-" + UUID().uuidString
        var config = ServerConfig()
        config.data = path
        config.feedFollow = 0
        config.minFree = 0
        var ground = ServerServices.Ground()
        ground.scrypt = ScryptCost(logRounds: 4, blockSize: 1, parallelism: 1)
        let services = try await ServerServices.open(config, ground: ground, logger: Logger(label: "test"))
        return try await make(services, try await HostedBrowsers(services), path, email: "one@example.org")
    }

    /// Another browser of the same person.
    func otherDevice() async throws -> BrowserAccount {
        let visitor = BrowserVisitor(network: "127.0.0.2", isLocal: true, name: "Other")
        let ticket = try await browsers.signIn(email: "one@example.org", password: Self.password, by: visitor)
        guard let account = try await browsers.enter(ticket) else { throw CancellationError() }
        return account
    }

    func another() async throws -> HostedWorld {
        try await Self.make(services, browsers, path, email: "two@example.org")
    }

    private static func make(
        _ services: ServerServices, _ browsers: HostedBrowsers, _ path: String, email: String
    ) async throws -> HostedWorld {
        let visitor = BrowserVisitor(network: "127.0.0.1", isLocal: true, name: "Test")
        let ticket = try await browsers.register(email: email, password: password, code: nil, by: visitor)
        guard let account = try await browsers.enter(ticket) else { throw CancellationError() }
        return HostedWorld(
            services: services, browsers: browsers, ticket: ticket, account: account,
            caller: Caller(userId: account.user.id, driveId: account.user.id, deviceId: account.deviceId), path: path)
    }

    func close() async throws {
        try await services.close()
        try FileManager.default.removeItem(atPath: path)
    }

    func add(_ name: String, isFolder: Bool, bytes: Int, to folder: ItemID) async throws -> ItemID {
        if isFolder {
            return try await change {
                try FileCreation(name: name, mimeType: File.folderMimeType, parentId: folder.text, requestId: nil)
                    .perform(in: $0, stamp: $1)
            }
        }
        let id = try await change {
            try FileCreation(name: name, mimeType: nil, parentId: folder.text, requestId: nil).perform(
                in: $0, stamp: $1)
        }
        // Its size counts here, not its bytes.
        try await services.database.write {
            try $0.execute("UPDATE nodes SET size = ? WHERE node_id = ?", [Int64(bytes).sql, id.text.sql])
        }
        return id
    }

    /// A file with content, or a new version of one that is there.
    ///
    /// - Parameter deviceId: whose it is; nil for this browser's.
    @discardableResult
    func put(
        _ name: String, _ bytes: [UInt8], in folder: ItemID, by deviceId: String? = nil
    ) async throws -> ItemID {
        var caller = caller
        caller.deviceId = deviceId ?? caller.deviceId
        let request = UploadRequest(
            requestId: UUID().uuidString, name: name, mimeType: "text/plain", parentId: folder.text,
            conflict: .overwrite)
        let outcome = try await services.simpleUploads.store(
            SimpleUpload(request, content: ByteBuffer(bytes: bytes), identity: .none(for: "test")), for: caller)
        return ItemID(outcome.file.id)
    }

    func hide(_ id: ItemID) async throws {
        _ = try await change { try FileUpdate(id: id.text, request: .init(hidden: true)).perform(in: $0, stamp: $1) }
    }

    private func change(
        _ body: @escaping @Sendable (any SQLConnection, ChangeStamp) throws -> FileChange
    ) async throws -> ItemID {
        let outcome = try await services.mutations.perform(.none(for: "test"), for: caller) { db, stamp in
            let change = try body(db, stamp)
            return Mutation(answer: change.row.id, cursor: change.cursor)
        }
        return ItemID(outcome.answer)
    }
}
