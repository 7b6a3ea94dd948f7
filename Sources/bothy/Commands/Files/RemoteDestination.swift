import BothyClient
import BothyContract

/// Where `mv` and `cp` put something: a folder and the name it gets there.
struct RemoteDestination {
    var folder: File
    var folderPath: RemotePath
    var name: String

    func path() throws -> RemotePath { try folderPath.appending(name) }

    /// Into the folder that is there; else under the new name, in the folder above.
    ///
    /// - Parameter several: more than one thing moves, so the target must be a folder.
    init(of source: RemotePath, to target: RemoteArgument, several: Bool, _ home: DeviceHome) async throws {
        guard let sourceName = source.name else {
            throw Complaint.usage("“/” cannot be moved or copied.", remedy: "Name its content instead.")
        }
        let there = try await home.files.fileIfPresent(at: target.path)
        if several || target.saysFolder || there?.isFolder == true {
            folder = try await home.folder(
                at: target.path, remedy: "Create it with “bothy mkdir \(target.path.text.asTyped)”.")
            folderPath = target.path
            name = sourceName
        } else {
            folderPath = target.path.parent
            folder = try await home.folder(
                at: folderPath, remedy: "Create it with “bothy mkdir \(folderPath.text.asTyped)”.")
            name = target.path.name ?? sourceName
        }
    }
}
