import BothyContract
import GRDB

/// When the server was asked last what became of the posts that are kept here.
struct PostCheckSetting: Codable, Equatable {
    /// Nil where it could not be reached since.
    var checkedAt: Timestamp?

    /// Seconds after which it is asked again though it could be reached all the while: a device that was off noticed nothing.
    private static let interval: Int64 = 3600
    private static let name = "posts-checked"

    /// By the wall clock, which goes on while the device does not run. One that was set back has the server asked once more.
    func isDue(at now: Timestamp) -> Bool {
        guard let checkedAt else { return true }
        return !(0..<Self.interval).contains(now.seconds - checkedAt.seconds)
    }

    /// - Returns: due, where it was never asked, or what is kept cannot be read.
    static func known(in db: Database) throws -> PostCheckSetting {
        try SettingTable.value(name, in: db).flatMap { try? WireCoding.decode(Self.self, fromText: $0) }
            ?? PostCheckSetting()
    }

    func keep(in db: Database) throws {
        try SettingTable.set(Self.name, to: try WireCoding.text(of: self), in: db)
    }
}
