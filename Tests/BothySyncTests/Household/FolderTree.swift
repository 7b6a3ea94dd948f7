import BothyClient
import BothyContent
import BothyContract
import BothySync
import Foundation

/// What lies in a folder, as people see it.
struct FolderTree: Equatable {
    enum Entry: Equatable {
        case folder
        case file(ContentHash)
    }

    var entries = [String: Entry]()

    var contents: Set<ContentHash> {
        Set(
            entries.values.compactMap {
                guard case .file(let hash) = $0 else { return nil }
                return hash
            })
    }

    init(on disk: String) throws {
        for (path, isFolder) in Self.paths(in: disk) {
            entries[path] = isFolder ? .folder : .file(SHA256Hasher.hash(try Self.read("\(disk)/\(path)")))
        }
    }

    init(on server: DeviceHome, below folderId: String) async throws {
        var folders = [("", folderId)]
        while let (path, id) = folders.popLast() {
            for try await page in server.files.list(id) {
                for file in page {
                    guard !file.isFolder else {
                        entries[path + file.name] = .folder
                        folders.append((path + file.name + "/", file.id))
                        continue
                    }
                    guard let hash = file.checksum else { throw Finding(description: "\(file.name) has no checksum") }
                    entries[path + file.name] = .file(hash)
                }
            }
        }
    }

    /// What one of the two has and the other has not.
    func differences(from other: FolderTree) -> [String] {
        Set(entries.keys).union(other.entries.keys).sorted().filter { entries[$0] != other.entries[$0] }
            .map { "\($0): \(Self.words(entries[$0])) and not \(Self.words(other.entries[$0]))" }
    }

    private static func words(_ entry: Entry?) -> String {
        switch entry {
        case .folder: "a folder"
        case .file(let hash): hash.hex.prefix(8).description
        case nil: "nothing"
        }
    }

    static func read(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Everything but the engine's own folder, in an order that depends on nothing else. What goes meanwhile is left out.
    static func paths(in folder: String, below: String = "") -> [(path: String, isFolder: Bool)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(below)")) ?? []
        var found = [(path: String, isFolder: Bool)]()
        for name in names.sorted() where below != "" || name != PrivateNames.folder {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(folder)/\(below)\(name)", isDirectory: &isFolder) else {
                continue
            }
            found.append((below + name, isFolder.boolValue))
            if isFolder.boolValue { found += paths(in: folder, below: below + name + "/") }
        }
        return found
    }
}
