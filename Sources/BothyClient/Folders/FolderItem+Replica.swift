import BothyContract

extension ItemID {
    /// - Throws: `notFound` for what was never given out here.
    func luid() throws(ClientFailure) -> LUID {
        guard let luid = LUID(self) else { throw ReplicaEngine.unknown }
        return luid
    }
}

extension FolderItem {
    package init(_ file: ReplicaFile) {
        self.init(
            id: file.luid.item, name: file.name, mimeType: file.mimeType, size: file.size,
            modifiedAt: file.modifiedAt, starred: file.starred,
            isWaiting: file.luid != .root && (file.serverId == nil || file.pendingContent != nil))
    }
}
