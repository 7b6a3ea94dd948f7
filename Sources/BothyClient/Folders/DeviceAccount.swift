import BothyContract

/// The account as this device knows it: what takes room from here, the rest from the server.
struct DeviceAccount: AccountSettings {
    private let replica: ReplicaEngine
    private let account: AccountRepository

    init(_ replica: ReplicaEngine, account: AccountRepository) {
        self.replica = replica
        self.account = account
    }

    func devices() async throws -> [SignedInDevice] {
        try await account.devices(briefly: true).map {
            SignedInDevice(
                id: $0.id, name: $0.name, platform: $0.platform, lastSeenAt: $0.lastSeenAt, isThis: $0.current)
        }
        .sorted { $0.isThis != $1.isThis ? $0.isThis : $0.lastSeenAt > $1.lastSeenAt }
    }

    func signOut(_ device: String) async throws { try await account.signOutDevice(device) }

    func signOutOthers() async throws -> Int {
        let others = try await account.devices().filter { !$0.current }
        for device in others { try await account.signOutDevice(device.id) }
        return others.count
    }

    func changePassword(from old: String, to new: String, by visitor: BrowserVisitor) async throws {
        try await account.changePassword(current: old, new: new)
    }

    /// What waits to be sent is not counted yet. Of earlier versions, and of what posts keep, only the server knows.
    func storage(largest: Int) async throws -> StorageUse {
        var use = try await known(largest: largest)
        do {
            let told = try await account.storage()
            use.versions = StorageUse.Part(count: told.versions.count, bytes: told.versions.bytes)
            use.posts = told.posts.map { StorageUse.Part(count: $0.count, bytes: $0.bytes) }
        } catch let failure as ClientFailure
            where failure.isNetworks || failure.code == .signInNeeded || failure.code == .notFound
        {
            // A server from before it could tell has no such address.
            (use.versions, use.posts) = (nil, nil)
        }
        return use
    }

    private func known(largest: Int) async throws -> StorageUse {
        try await replica.read { view in
            var use = StorageUse()
            use.files = try RemoteFileTable.use(in: view.ground.db)
            for file in try RemoteFileTable.trashedTrees(in: view.ground.db) where !file.isFolder {
                use.trash.add(file.size)
                use.files[file.mimeType]?.remove(file.size)
            }
            use.largest = try RemoteFileTable.largest(largest, in: view.ground.db).map { try view.found($0) }
            return use
        }
    }
}

extension StorageUse.Part {
    fileprivate mutating func remove(_ size: Int64) {
        count -= 1
        bytes -= size
    }
}
