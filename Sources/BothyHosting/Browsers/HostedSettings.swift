import BothyClient
import BothyContract
import BothyServer

/// An account's devices, password and room, as the server's own web app has them.
struct HostedSettings: AccountSettings {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func devices() async throws -> [SignedInDevice] {
        try await failing {
            let answer = try await services.accounts.devices(of: caller, after: nil, limit: DeviceTable.mostDevices)
            return answer.devices.map {
                SignedInDevice(
                    id: $0.id, name: $0.name, platform: $0.platform, lastSeenAt: $0.lastSeenAt, isThis: $0.current)
            }
            .sorted { $0.isThis != $1.isThis ? $0.isThis : $0.lastSeenAt > $1.lastSeenAt }
        }
    }

    func signOut(_ device: String) async throws {
        try await failing { try await services.accounts.signOut(deviceId: device, of: caller) }
    }

    func signOutOthers() async throws -> Int {
        try await failing { try await services.accounts.signOutOthers(of: caller) }
    }

    func changePassword(from old: String, to new: String, by visitor: BrowserVisitor) async throws {
        try await failing {
            try await services.accounts.changePassword(
                ChangePasswordRequest(currentPassword: old, newPassword: new), of: caller, from: visitor.origin)
        }
    }

    func storage(largest: Int) async throws -> StorageUse {
        try await failing {
            let inventory = try await DriveInventory.taken(
                of: caller.driveId, largest: largest, in: services.database)
            var use = StorageUse()
            use.files = inventory.files.mapValues { StorageUse.Part($0) }
            use.trash = StorageUse.Part(inventory.trash)
            use.versions = StorageUse.Part(inventory.versions)
            use.posts = StorageUse.Part(inventory.posts)
            use.largest = inventory.largest.map { row, above in
                FoundItem(item: FolderItem(row), folder: ItemID(row.parentId ?? File.rootId), above: above)
            }
            return use
        }
    }
}

extension StorageUse.Part {
    fileprivate init(_ part: DriveInventory.Part) { self.init(count: part.count, bytes: part.bytes) }
}
