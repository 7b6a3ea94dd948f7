import Foundation

/// What a home holds on the disk, in bytes as the disk gives them out.
public struct HomeStorage: Codable, Equatable, Sendable {
    /// What is known: files, transfers, settings.
    public var database: Int64 = 0
    /// Content of files.
    public var content: Int64 = 0
    /// Locks, secrets, logs.
    public var other: Int64 = 0

    /// All three.
    public var total: Int64 { database + content + other }

    /// Looks at every file of the home: one stat each.
    public static func measure(_ directory: String) -> HomeStorage {
        var storage = HomeStorage()
        // What goes away meanwhile holds nothing any more.
        guard let walk = FileManager.default.enumerator(atPath: directory) else { return storage }
        for case let name as String in walk {
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let bytes = Int64(status.st_blocks) * 512
            if name.hasPrefix("content/") {
                storage.content += bytes
            } else if name.contains(".sqlite") {
                storage.database += bytes
            } else {
                storage.other += bytes
            }
        }
        return storage
    }
}
