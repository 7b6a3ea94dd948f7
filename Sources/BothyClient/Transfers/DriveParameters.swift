import BothyContent
import GRDB

/// How the drive's files are cut into blocks, as the server told it last. Kept among the settings: what a person reads of it has no
/// connection to ask over.
public struct DriveParameters: Equatable, Sendable {
    /// See ``BlockParameters/version``.
    public let version: Int

    /// Where they are not, files go up in fixed chunks: whole, and without a name that nobody else would give.
    public var areKnown: Bool { cuts != nil }

    /// Nil where this release does not know them.
    package var cuts: BlockParameters? { BlockParameters(version: version) }

    package init(version: Int) { self.version = version }

    private static let setting = "drive-block-parameters"

    static func find(in db: Database) throws -> DriveParameters? {
        try SettingTable.value(setting, in: db).flatMap { Int($0) }.map(DriveParameters.init)
    }

    func save(in db: Database) throws {
        try SettingTable.set(Self.setting, to: String(version), in: db)
    }

    static func forget(in db: Database) throws {
        try SettingTable.set(setting, to: nil, in: db)
    }
}

extension TransferStore {
    /// Writes only what is new: an upload of each large file tells it.
    func keep(_ told: DriveParameters) async throws {
        guard try await driveParameters() != told else { return }
        try await transact { try told.save(in: $0) }
    }

    func driveParameters() async throws -> DriveParameters? {
        try await look { try DriveParameters.find(in: $0) }
    }

    /// What the drive's files are cut by, as far as this device was told; nil where this release does not know it.
    func cuts() async throws -> BlockParameters? {
        guard let told = try await driveParameters() else { return .newest }
        return told.cuts
    }
}

extension TransfersRepository {
    /// Nil where no server has told it yet.
    public func driveParameters() async throws -> DriveParameters? { try await services.store.driveParameters() }
}
