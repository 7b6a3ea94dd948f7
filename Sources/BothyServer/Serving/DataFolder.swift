import BothyContract
import Foundation

/// The folder that holds everything a server keeps. Nothing absolute is stored in it, so it can be moved.
///
///     bothy.sqlite     the database, with its write-ahead log
///     packs/           block bytes
///     media/           small pictures, which can be made again
///     admin.socket     for the operator's commands
///     lock             held by the server that uses the folder
package struct DataFolder: Sendable {
    package let path: String

    package var database: String { "\(path)/\(ServerFolderNames.database)" }
    package var packs: String { "\(path)/\(ServerFolderNames.packs)" }
    package var media: String { "\(path)/\(ServerFolderNames.media)" }
    package var adminSocketName: String { "admin.socket" }
    package var adminSocket: String { path + "/" + adminSocketName }
    package var lock: String { "\(path)/\(ServerFolderNames.lock)" }

    package init(path: String) {
        let absolute = URL(fileURLWithPath: path).path
        self.path = absolute
    }

    /// There is a server's data in it.
    package var isInUse: Bool { FileManager.default.fileExists(atPath: database) }

    /// Makes the folder where there is none.
    ///
    /// - Parameter mustExist: refuses a folder without data in it: a disk that is not mounted leaves an empty one behind.
    /// - Throws: ``ServerFault`` where it is something else, cannot be made, or holds other things.
    package func prepare(mustExist: Bool) throws {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        if exists, !isDirectory.boolValue {
            throw ServerFault(.occupied, "\(path) is a file. Name a folder for the data with --data.")
        }
        if mustExist, !isInUse {
            throw ServerFault(
                .folder,
                "\(path) has no Bothy data in it, which --existing requires. Is the disk mounted? To start a new server: bothy server init --data \(path.asTyped)"
            )
        }
        if exists { return try checkContents() }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServerFault(.folder, "The data folder \(path) cannot be created: \(Self.reason(error)).")
        }
    }

    /// A folder with other things in it is somebody's: nothing is mixed with them.
    private func checkContents() throws {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw ServerFault(.folder, "The data folder \(path) cannot be read: \(Self.reason(error)).")
        }
        if !hasDatabase, try holdsPacks() {
            throw ServerFault(
                .folder,
                "\(path) has packs with content, but no database. Nothing was changed. Put \(ServerFolderNames.database) back; or, if a restore was interrupted, empty the folder and restore again."
            )
        }
        let own = [
            ServerFolderNames.lock, adminSocketName, ServerFolderNames.packs, ServerFolderNames.media, "lost+found",
            "bothy.yaml",
        ]
        let foreign = names.filter { !own.contains($0) }
        guard isInUse || foreign.isEmpty else {
            throw ServerFault(
                .occupied,
                "\(path) has other files in it (“\(foreign.sorted()[0])”), and no Bothy data. Name an empty folder with --data."
            )
        }
    }

    /// A file without a byte knows nothing.
    private var hasDatabase: Bool {
        [database, database + "-wal"].contains { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_size > 0
        }
    }

    private func holdsPacks() throws -> Bool {
        guard FileManager.default.fileExists(atPath: packs) else { return false }
        return try !FileManager.default.contentsOfDirectory(atPath: packs).isEmpty
    }

    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(underlying.code)))
    }
}
