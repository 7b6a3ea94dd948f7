import Foundation

/// The copies that are taken before a new release changes the schema: `bothy.sqlite.before-2` is from before
/// migration 2.
extension SQLiteDatabase {
    /// The way back from this release, and from the one before it. Each copy is as large as the database was.
    private static let mostCopies = 2
    private static let copyMark = ".before-"
    /// What SQLite leaves beside a file that somebody looked into.
    private static let companions = ["", "-wal", "-shm", "-journal"]

    func keepCopy(before number: Int) async throws {
        let copy = path + Self.copyMark + String(number)
        if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
        try await backup(to: copy)
    }

    /// Removes all copies but the newest ones. To be called once the newest release has started.
    ///
    /// What is not named as this release or one before it names its copies is somebody's, and stays.
    ///
    /// - Throws: what the disk refuses.
    package static func removeOldCopies(of path: String) throws {
        let newest = Migration.all.map(\.number).max() ?? 0
        let files = FileManager.default
        let file = URL(fileURLWithPath: path)
        let folder = file.deletingLastPathComponent().path
        let begin = file.lastPathComponent + copyMark
        let numbers = try files.contentsOfDirectory(atPath: folder).compactMap { name -> Int? in
            guard name.hasPrefix(begin), let number = Int(name.dropFirst(begin.count)) else { return nil }
            return number > 0 && number <= newest && name == begin + String(number) ? number : nil
        }
        for number in numbers.sorted(by: >).dropFirst(mostCopies) {
            for companion in companions {
                let copy = "\(folder)/\(begin)\(number)\(companion)"
                if files.fileExists(atPath: copy) { try files.removeItem(atPath: copy) }
            }
        }
    }
}
