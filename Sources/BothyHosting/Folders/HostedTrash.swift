import BothyClient
import BothyContract
import BothyServer

/// An account's trash, straight from the server's database.
struct HostedTrash: TrashRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func page(after place: String?, limit: Int) async throws -> TrashPage {
        let (drive, now, lived) = (caller.driveId, services.clock.now(), services.lived.now())
        return try await failing {
            let listing = TrashListing(
                limit: limit, after: try PageCursor.read(TrashListing.Position.self, from: place))
            return try await services.database.read { db in
                let page = try listing.page(in: db, drive: drive)
                var ancestry = Ancestry(db, drive: drive)
                let items = try page.rows.map { row in
                    let stay = Retention.trash - (lived - (row.trash?.lived ?? lived))
                    return TrashItem(
                        item: FolderItem(row), above: try ancestry.names(above: row),
                        trashedAt: row.trash?.at ?? now, leavesAt: now.adding(seconds: max(0, stay)))
                }
                return TrashPage(
                    items: items, total: try TrashListing.total(in: db, drive: drive),
                    next: try page.next.map { try PageCursor.text($0) })
            }
        }
    }

    func bringBack(_ id: ItemID) async throws { _ = try await HostedActions(services, caller).untrash(id) }

    func deleteForGood(_ id: ItemID) async throws {
        try await failing {
            _ = try await services.mutations.perform(
                .none(for: "web purge"), for: caller, from: .reserve
            ) { db, stamp in
                // What somebody has brought back meanwhile was not what the person meant.
                let row = try FileTable(db, drive: stamp.driveId).require(id.text).row
                guard row.trash != nil else {
                    throw Problem(
                        .subtreeChanged, "“\(row.name)” is no longer in the trash, so it was not deleted.")
                }
                let change = try Purge.cutOff(row, in: db, stamp: stamp)
                return Mutation(answer: 1, cursor: change.cursor)
            }
        }
    }

    /// A few at a time, so that no one waits long behind it.
    func empty(until moment: Timestamp) async throws -> Int {
        try await failing {
            var place: TrashListing.Position? = .init(trashedAt: moment.milliseconds + 1, trashedId: "")
            var count = 0
            while let start = place {
                let step = try await emptied(from: start)
                count += step.count
                place = step.next
            }
            return count
        }
    }

    private struct Step: Codable {
        var count: Int
        var next: TrashListing.Position?
    }

    private func emptied(from place: TrashListing.Position) async throws -> Step {
        let listing = TrashListing(limit: Purge.batch, after: place)
        return try await services.mutations.perform(
            .none(for: "web empty"), for: caller, from: .reserve
        ) { db, stamp in
            let page = try listing.page(in: db, drive: stamp.driveId)
            var cursor = try ChangeLog(db, drive: stamp.driveId).head()
            for row in page.rows { cursor = try Purge.cutOff(row, in: db, stamp: stamp).cursor }
            return Mutation(answer: Step(count: page.rows.count, next: page.next), cursor: cursor)
        }.answer
    }
}
