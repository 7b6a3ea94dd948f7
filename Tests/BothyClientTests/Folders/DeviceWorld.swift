import BothyClient
import BothyContract
import FolderConformance
import Foundation

/// A device of a real server, as a browser on it sees the account.
struct DeviceWorld: FolderWorld {
    let home: DeviceHome
    let account: BrowserAccount
    private let files: TemporaryFolder
    /// What is added reaches the server at once; else it waits, as without a connection.
    private let isConnected: Bool

    init(_ home: DeviceHome, isConnected: Bool, folder: TemporaryFolder? = nil) async throws {
        self.home = home
        self.isConnected = isConnected
        files = try folder ?? TemporaryFolder()
        if isConnected { try await home.replica.pull() }
        guard let account = try await DeviceBrowsing(home).account() else { throw CancellationError() }
        self.account = account
    }

    /// A device whose server is nowhere to be found.
    static func alone() async throws -> DeviceWorld {
        let folder = try TemporaryFolder()
        let home = try await DeviceHome.open(at: folder.file("home"))
        let now = Timestamp(seconds: 1_700_000_000)
        let device = Device(
            id: "d1", name: "kitchen", platform: "linux", createdAt: now, lastSeenAt: now, current: true)
        try SecretStore(folder: folder.file("home/secrets"), disk: SystemDisk()).save(
            StoredSession(
                server: try ServerAddress("http://127.0.0.1:9"),
                user: User(id: 1, email: "anna@example.org", displayName: "Anna"), device: device, accessToken: "none",
                refreshToken: "none", obtainedAt: now, expiresIn: 900))
        return try await DeviceWorld(home, isConnected: false, folder: folder)
    }

    var folders: any FolderRepository { account.folders }
    var actions: any FileActions { account.actions }
    var trashCan: any TrashRepository { account.trash }
    var stars: any StarredRepository { account.starred }

    func add(_ name: String, isFolder: Bool, bytes: Int, to folder: ItemID) async throws -> ItemID {
        if isFolder {
            let made = try await actions.makeFolder(named: name, in: folder)
            try await sync()
            return made.id
        }
        return try await put(name, Array(repeating: 0x61, count: bytes), in: folder)
    }

    @discardableResult
    func put(_ name: String, _ bytes: [UInt8], in folder: ItemID = .root) async throws -> ItemID {
        let path = try files.write(UUID().uuidString, bytes)
        let made = try await home.replica.put(path, as: name, in: folder == .root ? "#1" : "#\(folder.text)")
        try await sync()
        guard let made else { throw CancellationError() }
        return ItemID("\(made.subject.value)")
    }

    func sync() async throws {
        guard isConnected else { return }
        _ = try await home.replica.push()
        try await home.replica.pull()
    }
}
