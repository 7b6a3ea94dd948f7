import BothyClient
import Synchronization

/// The places on the server that one command has given to files: two sources of one name, or names that differ in their
/// spelling alone, would go to the same.
///
/// By hash, so that a tree of a million files costs a few bytes each; that two of them share one of 64 bits is less likely than
/// a broken disk.
final class PutPlaces: Sendable {
    private let given = Mutex<Set<Int>>([])

    /// - Returns: false where another file goes there.
    func give(_ path: RemotePath) -> Bool { given.withLock { $0.insert(path.text.hashValue).inserted } }
}
