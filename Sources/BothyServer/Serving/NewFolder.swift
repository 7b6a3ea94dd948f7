import Foundation

/// What a first start makes for its data, so that one that fails leaves nothing behind.
struct NewFolder: Sendable {
    /// The folder, and those above it, that were not there; the deepest first.
    private let missing: [String]

    /// Looks what is missing, before it is made.
    init(_ path: String) {
        var missing = [String]()
        var place = URL(fileURLWithPath: path)
        // A link that leads nowhere is there, and somebody's.
        while place.path != "/", (try? FileManager.default.attributesOfItem(atPath: place.path)) == nil {
            missing.append(place.path)
            place.deleteLastPathComponent()
        }
        self.missing = missing
    }

    /// Whether the folder itself was missing.
    var isNew: Bool { !missing.isEmpty }

    /// Takes away those of them that are empty.
    func removeEmpty() { Self.removeEmpty(missing[...]) }

    /// Takes away the folder with everything in it. To be called by who has its lock, and knows that nothing in it is
    /// of any use.
    ///
    /// - Throws: what the disk refuses.
    func remove() throws {
        guard let own = missing.first else { return }
        if FileManager.default.fileExists(atPath: own) { try FileManager.default.removeItem(atPath: own) }
        Self.removeEmpty(missing.dropFirst())
    }

    private static func removeEmpty(_ paths: ArraySlice<String>) {
        // What has something in it is not removed by this, and neither is what lies above it.
        for path in paths where rmdir(path) != 0 { return }
    }
}
