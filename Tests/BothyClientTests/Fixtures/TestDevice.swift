import BothyClient
import BothyContract
import Foundation

/// A home that is signed in to a server, without having asked it.
struct TestDevice: Sendable {
    static let user = User(id: 1, email: "anna@example.org", displayName: "Anna")
    static let device = Device(
        id: "device-1", name: "laptop", platform: "linux", createdAt: Timestamp(seconds: 0),
        lastSeenAt: Timestamp(seconds: 0), current: true)

    let folder: TemporaryFolder
    let clock: TestClock
    let home: DeviceHome

    init(
        _ origin: String, folder: TemporaryFolder? = nil, token: String = "token-1", disk: (any LocalDisk)? = nil,
        power: (any PowerSupply)? = nil, silence: Double? = nil
    ) async throws {
        self.folder = try folder ?? TemporaryFolder()
        clock = TestClock()
        var environment = ClientEnvironment.live
        environment.clock = clock
        environment.chance = { 0.5 }
        if let disk { environment.disk = disk }
        if let power { environment.power = power }
        if let silence { environment.silence = silence }
        let directory = self.folder.file("home")
        try FileManager.default.createDirectory(atPath: "\(directory)/secrets", withIntermediateDirectories: true)
        try SecretStore(folder: "\(directory)/secrets", disk: SystemDisk()).save(
            StoredSession(
                server: ServerAddress(origin), user: Self.user, device: Self.device, accessToken: token,
                refreshToken: "refresh-1", obtainedAt: clock.now(), expiresIn: 900))
        home = try await DeviceHome.open(at: directory, environment: environment)
    }

    func close() async throws { try await home.close() }

    /// Uploads, and says how it ended.
    func put(_ path: String, as name: String = "file.bin", conflict: ConflictPolicy = .overwrite) async throws
        -> TransferSnapshot
    {
        try await rest(
            home.transfers.upload([UploadOrder(localPath: path, name: name, parentId: File.rootId, conflict: conflict)]
            )[0])
    }

    func get(_ fileId: String, to path: String, replacing: Bool = true) async throws -> TransferSnapshot {
        try await rest(
            home.transfers.download([
                DownloadOrder(fileId: fileId, name: "file.bin", destination: path, replacing: replacing)
            ])[0])
    }

    /// The last thing that is told of a transfer, or of the one that took its place.
    func rest(_ id: String) async throws -> TransferSnapshot {
        var last: TransferSnapshot?
        for await snapshot in await home.transfers.observe([id]) { last = snapshot }
        guard let last else { throw ClientFailure(.transferNotFound, "Nothing was told of \(id).") }
        return last
    }
}
