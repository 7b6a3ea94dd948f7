import Synchronization

/// The room that downloads under way have yet to take. Each alone may fit where all of them fill the disk, and then none would
/// ever be done.
final class PromisedRoom: Sendable {
    private struct Promise {
        var device: UInt64
        /// Bytes of the whole.
        var size: Int64
        /// Bytes to come, as long as there is no file.
        var missing: Int64
        var file: (any LocalFile)?

        var left: Int64 {
            // A disk that does not tell what a file takes is taken to need all of it.
            guard let file, let taken = try? file.allocatedBytes() else { return missing }
            return max(0, size - taken)
        }
    }

    private let promises = Mutex([String: Promise]())

    /// Promises room to a partial file, where there is as much that nobody else was promised.
    ///
    /// - Parameters:
    ///   - missing: bytes that it has yet to take, of `size`.
    ///   - free: asks the disk.
    /// - Returns: bytes that the disk has, and that others have yet to take of them; nothing is promised where what is left is
    ///   less than `missing`.
    func promise(
        _ path: String, missing: Int64, of size: Int64, on device: UInt64, free: () throws(ClientFailure) -> Int64
    ) throws(ClientFailure) -> (free: Int64, others: Int64) {
        let outcome = promises.withLock { promises -> Result<(free: Int64, others: Int64), ClientFailure> in
            do throws(ClientFailure) {
                let others = promises.reduce(0) {
                    $1.key != path && $1.value.device == device ? $0 + $1.value.left : $0
                }
                let free = try free()
                if missing <= free - others {
                    promises[path] = Promise(device: device, size: size, missing: missing)
                }
                return .success((free, others))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// The file is there, and the room it takes can be seen.
    func opened(_ path: String, _ file: any LocalFile) { promises.withLock { $0[path]?.file = file } }

    func release(_ path: String) { promises.withLock { $0[path] = nil } }
}
