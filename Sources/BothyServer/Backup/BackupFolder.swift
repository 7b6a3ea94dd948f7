import Foundation

/// A folder with a copy of a server's data: taken while the server runs, brought up to date by the next backup.
///
///     bothy-backup     what the folder is, and when the last backup ended
///     bothy.sqlite     the database of one moment
///     packs/           every block that it refers to, and perhaps some more
package struct BackupFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = URL(fileURLWithPath: path).path }

    var database: String { path + "/bothy.sqlite" }
    /// The database that is being copied; it takes the other's place when its blocks are there.
    var newDatabase: String { path + "/bothy.sqlite.new" }
    var packs: String { path + "/packs" }
    private var marker: String { path + "/bothy-backup" }

    /// Makes the folder, or sees that a backup may go there.
    ///
    /// - Throws: ``ServerFault`` where other things are in it, or it lies in the data folder.
    func prepare(for data: DataFolder) throws {
        let (here, there) = (Self.resolved(path), Self.resolved(data.path))
        guard here != there, !here.hasPrefix(there + "/") else {
            throw ServerFault(
                .folder, "\(path) lies in the data folder. A backup belongs on another disk: name a folder there.")
        }
        let files = FileManager.default
        do {
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let names = try files.contentsOfDirectory(atPath: path).filter { $0 != "lost+found" }
            guard names.isEmpty || files.fileExists(atPath: marker) else {
                throw ServerFault(
                    .folder,
                    "\(path) has other files in it (“\(names.sorted()[0])”). Name an empty folder, or one with an earlier backup."
                )
            }
            try DurableFile.write("A backup of Bothy has begun here.\n", to: marker)
            if files.fileExists(atPath: newDatabase) { try files.removeItem(atPath: newDatabase) }
        } catch let error as ServerFault {
            throw error
        } catch {
            throw ServerFault(.folder, "The folder \(path) cannot be used for a backup: \(error.localizedDescription)")
        }
    }

    /// - Throws: ``ServerFault`` where there is no whole backup.
    func requireBackup() throws {
        let files = FileManager.default
        guard files.fileExists(atPath: marker), files.fileExists(atPath: database), files.fileExists(atPath: packs)
        else {
            throw ServerFault(
                .folder, "There is no whole backup in \(path). Name the folder that “bothy server backup” was given.")
        }
    }

    /// From now on the folder holds the new moment.
    func switchDatabase(takenAt time: String) throws {
        try DurableFile.move(newDatabase, to: database)
        try DurableFile.write("A backup of Bothy, of \(time).\n", to: marker)
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}
