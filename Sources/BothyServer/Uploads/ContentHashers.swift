import BothyContract
import Collections
import Synchronization

/// The hashers of the sessions that chunks come for at the moment.
final class ContentHashers: Sendable {
    /// Hashers kept: more than the sessions that are busy at one time. One that was let go starts again when asked.
    private static let maximumKept = 512

    private struct Key: Hashable {
        var drive: Int64
        var uploadId: String
    }

    private let database: any Database
    private let packs: any PackStore
    /// In the order of their last use.
    private let kept = Mutex(OrderedDictionary<Key, ContentHasher>())

    init(database: any Database, packs: any PackStore) {
        self.database = database
        self.packs = packs
    }

    func hasher(drive: Int64, uploadId: String) -> ContentHasher {
        let key = Key(drive: drive, uploadId: uploadId)
        return kept.withLock { kept in
            let hasher =
                kept.removeValue(forKey: key)
                ?? ContentHasher(database: database, packs: packs, drive: drive, uploadId: uploadId)
            kept[key] = hasher
            if kept.count > Self.maximumKept { kept.removeFirst() }
            return hasher
        }
    }

    func forget(drive: Int64, uploadId: String) {
        kept.withLock { _ = $0.removeValue(forKey: Key(drive: drive, uploadId: uploadId)) }
    }
}
