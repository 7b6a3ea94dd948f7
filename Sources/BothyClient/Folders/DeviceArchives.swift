import BothyContract

/// ZIPs of what this device knows: from what is here, and from the server for the rest.
struct DeviceArchives: FileArchiving {
    private let replica: ReplicaEngine
    private let content: DeviceContent
    private let seats: ArchiveSeats

    init(_ replica: ReplicaEngine, content: DeviceContent, seats: ArchiveSeats) {
        self.replica = replica
        self.content = content
        self.seats = seats
    }

    func zip(_ items: [ItemID]) async throws -> FileArchive {
        let seat = try seats.take(0)
        var roots = [ReplicaFile]()
        for id in items { roots.append(try await replica.present(id)) }
        guard let first = roots.first else { throw ReplicaEngine.unknown }
        var plan = ArchivePlan<ReplicaFile>()
        for file in roots {
            if file.luid == .root { plan.addRoot(file) } else { try plan.add(file, in: "") }
        }
        while let folder = plan.nextFolder() {
            for file in try await replica.children(of: folder.source.luid) where !file.hidden {
                try plan.add(file, in: folder.path)
            }
        }
        try await content.requireReach(plan.sources)
        let name = roots.count == 1 && first.luid != .root ? first.name : "Bothy"
        return plan.archive(named: name) { [content] file, piece in
            let served = try await content.served(file.luid.item)
            // Its length was told already.
            guard served.size == file.size else {
                throw ClientFailure(.sourceChanged, "“\(file.name)” changed during the download.")
            }
            try await served.send(0..<served.size, piece)
        }
        .seated(seat)
    }
}

extension ArchivePlan<ReplicaFile> {
    fileprivate mutating func add(_ file: ReplicaFile, in folder: String) throws(ClientFailure) {
        let isEmpty = file.headRevisionId == nil && file.pendingContent == nil
        try add(
            file.name, isFolder: file.isFolder, size: isEmpty ? 0 : file.size, modifiedAt: file.modifiedAt, from: file,
            in: folder)
    }
}
