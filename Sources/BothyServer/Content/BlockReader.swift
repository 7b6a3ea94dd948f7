import BothyContract
import NIOCore

/// Reads blocks of one drive, wherever they lie by the time they are read.
///
/// A place that was looked up may be given up before it is read: compaction moves blocks. What is not as it should be there
/// is therefore looked up again, and is damaged only where the database still says that it lies there.
struct BlockReader: Sendable {
    let database: any Database
    let packs: any PackStore
    let drive: Int64

    /// - Parameter location: where the block lay when it was looked up.
    /// - Throws: ``PackError/damaged(_:)``, which is written down; `not_found` for a block that was given up meanwhile.
    func read(_ hash: ContentHash, at location: BlockLocation, range: Range<Int>) async throws -> ByteBuffer {
        do {
            // What is noted of a place where nothing lies any more is noted of nothing.
            return try await DamageNotes(database).noting { [packs] in
                try await packs.read(location, of: hash, range: range)
            }
        } catch PackError.damaged(let place) {
            let now = try await database.read { [drive] in try BlockTable($0, drive: drive).location(of: hash) }
            guard let now else { throw Problem(.notFound, "What was being read was deleted for good.") }
            // Places are never given twice, so this ends with the moves.
            guard now != location else { throw PackError.damaged(place) }
            return try await read(hash, at: now, range: range)
        }
    }
}
