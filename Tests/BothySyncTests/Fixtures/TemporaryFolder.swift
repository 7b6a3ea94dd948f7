import Foundation

/// A folder that goes with its last owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "\(NSTemporaryDirectory())/bothy-sync-\(UUID().uuidString)".replacingOccurrences(of: "//", with: "/")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// The same of a file that was saved long ago, so that its stamp vouches for it.
    func writeLongAgo(_ name: String, _ text: String) throws {
        try write(name, text)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000)], ofItemAtPath: file(name))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
    }

    /// Gives something a name in the folder itself that is no text, and is shown as `a\u{FFFD}b`.
    ///
    /// - Returns: whether that could be done.
    func renameToNoText(_ name: String) -> Bool {
        let target = Array(path.utf8CString.dropLast()) + [0x2F, 0x61, CChar(truncatingIfNeeded: 0xFF), 0x62, 0]
        return rename(file(name), target) == 0
    }

    /// - Returns: nil when nothing is there.
    func read(_ name: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: file(name)))).map { String(decoding: $0, as: UTF8.self) }
    }

    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(folder)).sorted()
    }
}
