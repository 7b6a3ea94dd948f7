import Foundation

/// A folder of a test's own, gone with the value that holds it.
final class TemporaryFolder: Sendable {
    let path: String

    /// Tests run side by side, each with a database and packs of its own: more open files than a shell allows at first.
    private static let manyOpenFiles: Void = {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
    }()

    init() throws {
        _ = Self.manyOpenFiles
        path = NSTemporaryDirectory() + "bothy-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // Nothing can be done for a folder that does not go; the next start of the machine empties /tmp.
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}
