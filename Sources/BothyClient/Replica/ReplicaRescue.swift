import BothyContract
import Foundation

/// The files of a replica that is made anew from one that is damaged.
///
/// The new one is made beside the old, with all that comes along, and then takes its place: a crash, or a full disk, on the way
/// leaves the old one to be rescued from again.
struct ReplicaRescue: Sendable {
    let path: String

    /// Says that SQLite has found the file damaged while it was used.
    private var mark: String { "\(path).damaged" }
    /// While it is made, and once it is whole.
    private var fresh: String { "\(path).rescued" }
    private var whole: String { "\(path).rescued-whole" }

    /// Milliseconds after which another process that rescues is looked at again.
    private static let pause: UInt32 = 20

    var isWanted: Bool { Self.exists(mark) }
    var isUnderWay: Bool { Self.exists(fresh) || Self.exists(whole) }
    /// It ended between setting the old file aside and putting the new one in its place.
    var isCutOff: Bool { Self.exists(whole) && !Self.exists(path) }

    func want() { close(creat(mark, 0o600)) }

    /// Keeps other processes out meanwhile.
    func alone<Value>(_ body: () throws -> Value) throws -> Value {
        let lockPath = "\(path).rescue-lock"
        while true {
            if let lock = try FileLock.tryTake(lockPath) {
                defer { withExtendedLifetime(lock) { _ = unlink(lockPath) } }
                return try body()
            }
            usleep(Self.pause * 1_000)
        }
    }

    /// - Parameter open: opens the new one at a path; what an earlier try has left there is gone.
    func begin(_ open: (String) throws -> ReplicaStore) throws -> ReplicaStore {
        try forget()
        return try open(fresh)
    }

    /// The new one holds all that came along, and was closed whole.
    func finish() throws {
        for suffix in Self.suffixes.dropFirst() { try Self.remove(fresh + suffix) }
        try Self.move(fresh, whole)
    }

    /// What an earlier try has left is not wanted.
    func forget() throws {
        try Self.remove(whole)
        for suffix in Self.suffixes { try Self.remove(fresh + suffix) }
    }

    /// Sets the old file aside and gives its name to the new one, which is whole. What was done of that already is not done again.
    ///
    /// - Returns: where the old one lies.
    func putInPlace(now: Timestamp) throws -> String {
        let aside = isCutOff ? newestAside ?? asideNow(now) : asideNow(now)
        for suffix in Self.suffixes where Self.exists(path + suffix) { try Self.move(path + suffix, aside + suffix) }
        try Self.move(whole, path)
        unlink(mark)
        return aside
    }

    private func asideNow(_ now: Timestamp) -> String { "\(path).set-aside-\(now.milliseconds)" }

    /// Where the old file lies, when it was set aside before.
    private var newestAside: String? {
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        // A folder that cannot be listed has none: the next name is made of the time.
        let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = there.compactMap { entry in
            entry.hasPrefix("\(name).set-aside-") ? Int64(entry.dropFirst(name.count + ".set-aside-".count)) : nil
        }
        return numbers.max().map { "\(path).set-aside-\($0)" }
    }

    /// The file itself comes first: once it is gone from its place, the new one is whole.
    private static let suffixes = ["", "-wal", "-shm"]

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw ClientFailure(errno: errno, path: path, doing: "be removed")
        }
    }

    private static func move(_ path: String, _ target: String) throws {
        guard rename(path, target) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be moved") }
    }
}
