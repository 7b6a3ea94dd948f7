import BothyContract
import GRDB

/// What the server asks its clients to keep of posts, as it said it last.
struct FeedSettings: Codable {
    var settings: AboutResponse.Settings
    /// When it was asked, in seconds that the device had lived.
    var asked: Int64

    /// Seconds.
    static let day: Int64 = 86_400
    private static let name = "feed-settings"

    /// - Returns: nil where it was never asked, or what is kept cannot be read.
    static func known(in db: Database) throws -> FeedSettings? {
        try SettingTable.value(name, in: db).flatMap {
            try? WireCoding.decode(FeedSettings.self, fromText: $0)
        }
    }

    func keep(in db: Database) throws {
        try SettingTable.set(Self.name, to: try WireCoding.text(of: self), in: db)
    }
}
