import BothyClient
import BothySync

/// Where on this machine the files of transfers are, or will be: what comes for a synced folder arrives in that
/// folder's own room, under a name that says nothing to a person, and is put in its place once it is whole.
struct TransferPlaces {
    private let home: DeviceHome
    private let bindings: [Binding]

    init(home: DeviceHome) async throws {
        self.home = home
        bindings = try await FolderBindings(home: home).all()
    }

    /// - Returns: absolute; as the transfer has it where it comes for no synced folder, or its file is not known here.
    func place(of transfer: TransferSnapshot) async throws -> String {
        guard transfer.direction == .download, let id = transfer.remoteFileId,
            let binding = bindings.first(where: { transfer.localPath.hasPrefix(Self.room(of: $0)) }),
            let folder = try? RemotePath(binding.remotePath), let luid = try await home.replica.luid(ofServerId: id),
            let path = try await home.replica.path(of: luid), path.lies(below: folder)
        else { return transfer.localPath }
        let names = path.names.dropFirst(folder.names.count)
        return binding.absolute(Place(text: names.joined(separator: "/")))
    }

    /// What begins with this lies in the folder, and is not a person's.
    private static func room(of binding: Binding) -> String { "\(binding.localPath)/\(PrivateNames.folder)/" }
}
