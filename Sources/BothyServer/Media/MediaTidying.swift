import BothyContract
import Foundation

/// Takes small pictures away whose content is gone, and the longest unused ones where all of them take more room than they may.
///
/// Every round looks at each shelf once. What it sees of the pictures' ages says which of them the next round takes away.
actor MediaTidying {
    /// Bytes that all small pictures may take.
    static let room: Int64 = 8 << 30

    private let folder: MediaFolder
    private let database: any Database
    private let clock: any ServerClock
    private let room: Int64
    private var left: [MediaFolder.Shelf]?
    private var ages = MediaAges()
    /// Days for which a picture may be unused.
    private var mostDays = Int.max

    init(
        folder: MediaFolder, database: any Database, room: Int64 = MediaTidying.room, clock: any ServerClock
    ) {
        self.folder = folder
        self.database = database
        self.room = room
        self.clock = clock
    }

    /// One shelf.
    func step() async throws -> Job.Step {
        var shelves = try left ?? folder.shelves()
        guard let shelf = shelves.popLast() else {
            (left, mostDays, ages) = (nil, ages.mostDays(for: room), MediaAges())
            return .done
        }
        left = shelves
        try await tidy(shelf)
        return .more
    }

    private func tidy(_ shelf: MediaFolder.Shelf) async throws {
        let entries = try folder.entries(on: shelf)
        let checksums = Set(entries.map(\.checksum))
        let living = try await database.read { db in
            let contents = ContentTable(db, drive: shelf.drive)
            return try checksums.filter { try contents.find(checksum: $0) != nil }
        }
        let now = clock.now().seconds
        for entry in entries {
            let days = Int(max(0, now - entry.usedAt) / 86_400)
            if living.contains(entry.checksum), days <= mostDays {
                ages.add(entry.bytes, days: days)
            } else {
                try folder.remove(entry)
            }
        }
        folder.removeIfEmpty(shelf)
    }
}

/// How many bytes of pictures have been unused for how many days.
struct MediaAges: Equatable, Sendable {
    private var bytes = [Int: Int64]()

    mutating func add(_ count: Int64, days: Int) { bytes[days, default: 0] += count }

    /// The days after which what is unused has to go, so that the rest has room. What was used today stays.
    func mostDays(for room: Int64) -> Int {
        var sum: Int64 = 0
        for (days, count) in bytes.sorted(by: { $0.key < $1.key }) {
            sum += count
            if sum > room { return max(0, days - 1) }
        }
        return .max
    }
}
