import BothyContent

/// Folders that go from under their devices, full disks, and quotas that are used up.
extension World {
    /// - Returns: what happened, in words; nil for nothing.
    func becomes(_ device: SimulatedDevice, _ fate: FolderFate) -> String? {
        switch fate {
        case .back:
            // The one thing that was agreed on counted as deleted by its person, or was brought anew; or it is no longer known,
            // where others had deleted it as well.
            let isDeleted =
                device.disk.isWrittenInto || device.agreedWhileAway
                || server.deletions(by: device.name) > device.deletionsBefore
            for (path, bytes) in device.disk.outOfSight
            where isDeleted || path.first.map({ device.disk.model.exists([$0]) }) ?? false {
                ledger.tookBack(SHA256Hasher.hash(bytes))
            }
            guard device.disk.comeBack() else { return nil }
        case .givenUp: return nil
        case .vanishes, .unmounted, .emptied, .replaced:
            guard device.disk.goAway(fate, now: device.clock.now()) else { return nil }
            device.deletionsBefore = server.deletions(by: device.name)
            device.agreedWhileAway = false
            device.lostWhileAway = 0
            ledger.wentAway(device.index)
            if fate == .replaced { ledger.linksAnew(device.index, knowingItsFiles: false) }
        }
        return "\(device.name): \(fate.words)"
    }

    /// A person looks at what a guard holds back in an emptied folder, and says that it is meant so.
    func giveUp(_ index: Int) async -> Finding? {
        guard let device = device(index), let files = device.disk.giveUp() else { return nil }
        trace.append("\(device.name): \(FolderFate.givenUp.words)")
        // What has come again meanwhile lies before them, and is not meant.
        for (path, bytes) in files where device.disk.model.bytes(path) != bytes {
            ledger.gaveUp(bytes, at: Person.words(path), by: .folder(device.index))
        }
        return await pass(device.index, PassConditions(), confirming: true).finding
    }

    func fill(_ device: SimulatedDevice, but bytes: Int?) -> String {
        device.disk.model.capacity = bytes.map { device.disk.model.usedBytes + $0 }
        return "\(device.name): the disk " + (bytes.map { "is full but for \($0) bytes" } ?? "has room again")
    }

    /// Every folder is back, and there is room everywhere.
    func endBadDays() {
        server.model.quotaLimit = nil
        for device in devices {
            if let words = becomes(device, .back) { trace.append(words) }
            device.disk.model.capacity = device.shape.disk.capacity
        }
    }
}

/// Watches a pass over a folder that is away: nothing may be deleted for that.
struct AwayWatch {
    private let device: SimulatedDevice
    private let server: SimulatedServer
    private let wasAway: Bool
    private let before: Int
    /// A person who had one thing in a folder that is empty by now may have deleted it.
    private static let mostOfAnEmptied = 1

    init(_ device: SimulatedDevice, _ server: SimulatedServer) {
        self.device = device
        self.server = server
        wasAway = device.disk.isAway
        before = server.deletions(by: device.name)
    }

    func finding() -> Finding? {
        let count = server.deletions(by: device.name) - before
        let most = device.disk.looksEmptied ? Self.mostOfAnEmptied + device.lostWhileAway : 0
        guard wasAway, device.disk.isAway, count > most else { return nil }
        return Finding(
            .deletedUnasked, "\(device.name) deleted \(count) things on the server while its folder was away.")
    }
}
