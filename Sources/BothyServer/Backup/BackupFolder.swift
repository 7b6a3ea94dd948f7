import BothyContract
import Foundation

/// A folder with a copy of a server's data: taken while the server runs, brought up to date by the next backup.
///
///     bothy-backup     what the folder is, whose, and when the last backup ended
///     bothy.sqlite     the database of one moment
///     packs/           every block that it refers to, and perhaps some more
package struct BackupFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = URL(fileURLWithPath: path).path }

    var database: String { "\(path)/\(ServerFolderNames.database)" }
    /// The database that is being copied; it takes the other's place when its blocks are there.
    var newDatabase: String { database + ".new" }
    var packs: String { "\(path)/\(ServerFolderNames.packs)" }
    private var marker: String { path + "/bothy-backup" }

    /// Makes the folder, and holds it for one backup: two at once would each take what the other has half done for its own.
    ///
    /// - Throws: ``ServerFault`` where it is held, cannot be made, or lies in the data folder.
    func lock(for data: DataFolder) throws -> BackupLock {
        let (here, there) = (Self.resolved(path), Self.resolved(data.path))
        guard here != there, !here.hasPrefix(there + "/") else {
            throw ServerFault(
                .folder, "\(path) is in the data folder. A backup belongs on another disk: name a folder there.")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard let lock = try BackupLock(folder: path) else {
                throw ServerFault(
                    .locked,
                    "Another backup to \(path), or a restore from it, is running. Wait until it is complete, or name another folder."
                )
            }
            return lock
        } catch let error as POSIXError {
            throw refused(error)
        } catch let error as CocoaError {
            throw refused(error)
        }
    }

    private func refused(_ error: any Error) -> ServerFault {
        ServerFault(.folder, "The folder \(path) cannot be used for a backup: \(error.localizedDescription)")
    }

    /// Sees that a backup may go there. Call with the lock.
    ///
    /// - Throws: ``ServerFault`` where other things are in it, or it holds the backup of
    ///   another server's life: packs are known by their numbers, and those begin anew with each life.
    func prepare(for life: ServerLife) throws {
        let files = FileManager.default
        do {
            let names = try files.contentsOfDirectory(atPath: path).filter { $0 != "lost+found" }
            guard names.isEmpty || files.fileExists(atPath: marker) else {
                throw ServerFault(
                    .occupied,
                    "\(path) has other files in it (“\(names.sorted()[0])”). Name an empty folder, or one with an earlier backup."
                )
            }
            if files.fileExists(atPath: marker) { try requireSame(life) }
            try DurableFile.write("A backup of Bothy has begun here.\n\(life.line)\n", to: marker)
            if files.fileExists(atPath: newDatabase) { try files.removeItem(atPath: newDatabase) }
        } catch let error as ServerFault {
            throw error
        } catch {
            throw refused(error)
        }
    }

    private func requireSame(_ life: ServerLife) throws {
        let lines = try String(contentsOfFile: marker, encoding: .utf8).split(separator: "\n")
        guard lines.contains(where: { $0 == life.line }) else {
            throw ServerFault(
                .occupied,
                "\(path) holds the backup of another server, or of this one before it was restored or lost its data. It is left unchanged: first check that this server has all its data, then name another folder."
            )
        }
    }

    /// - Throws: ``ServerFault`` where there is no whole backup.
    func requireBackup() throws {
        let files = FileManager.default
        guard files.fileExists(atPath: marker), files.fileExists(atPath: database), files.fileExists(atPath: packs)
        else {
            throw ServerFault(
                .missing,
                "There is no complete backup in \(path). Name the folder that “bothy server backup” was given.")
        }
    }

    /// From now on the folder holds the new moment.
    func switchDatabase(takenAt time: String, of life: ServerLife) throws {
        try DurableFile.move(newDatabase, to: database)
        try DurableFile.write("A backup of Bothy, of \(time).\n\(life.line)\n", to: marker)
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}
