import Foundation

/// The package's own Swift files.
enum SourceTree {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file below these folders of the package.
    static func files(in folders: [String]) throws -> [SourceFile] {
        try all.get().filter { file in folders.contains { file.path.hasPrefix("\($0)/") } }
    }

    /// Read once: that takes longer than any rule.
    private static let all = Result {
        try ["Sources", "Tests", "Benchmarks", "Simulation"].flatMap { folder in
            try swiftFiles(below: root.appending(path: folder, directoryHint: .isDirectory))
        }
    }

    /// The folders below a folder of the package, by their paths in it.
    static func rooms(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path(percentEncoded: false))
            .filter { path in
                var isFolder: ObjCBool = false
                let whole = root.appending(path: "\(folder)/\(path)").path(percentEncoded: false)
                return FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder) && isFolder.boolValue
            }
    }

    private static func swiftFiles(below folder: URL) throws -> [SourceFile] {
        let start = root.path(percentEncoded: false)
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        return try walk.compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
            .map { url in
                let path = url.path(percentEncoded: false).dropFirst(start.count).drop { $0 == "/" }
                return SourceFile(path: String(path), text: try String(contentsOf: url, encoding: .utf8))
            }
            .sorted { $0.path < $1.path }
    }
}
