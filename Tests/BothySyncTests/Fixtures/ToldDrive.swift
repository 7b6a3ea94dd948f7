import BothyContract

@testable import BothySync

/// A drive as its log tells it: names are unique in a folder, what is in the trash takes what is below it along untold, and what
/// is deleted for good is told one by one.
struct ToldDrive {
    /// The bound folder; beside it lies another that is none of its business.
    static let (box, outside) = ("box", "outside")

    private(set) var files: [String: File] = [:]
    /// What the log told since it was asked last.
    private var news: [String: File?] = [:]
    private var lastId = 0

    init() {
        put(Self.file(Self.box, named: "box", in: File.rootId, isFolder: true))
        put(Self.file(Self.outside, named: "outside", in: File.rootId, isFolder: true))
    }

    static func file(
        _ id: String, named name: String, in parent: String?, isFolder: Bool = false, version: Int64 = 1,
        trashedAt: Timestamp? = nil
    ) -> File {
        let time = Timestamp(seconds: version)
        return File(
            id: id, name: name, mimeType: isFolder ? File.folderMimeType : "text/plain", size: isFolder ? 0 : version,
            parentId: parent, checksum: isFolder ? nil : PlannedWorld.hash(Int(version)), version: version,
            createdAt: time, modifiedAt: time, updatedAt: time, trashed: trashedAt != nil, trashedAt: trashedAt)
    }

    var tree: RemoteTree { RemoteTree(rootId: Self.box, files: files.values) }

    mutating func takeNews() -> [String: File?] {
        defer { news = [:] }
        return news
    }

    private mutating func put(_ file: File) {
        files[file.id] = file
        news[file.id] = .some(file)
    }

    private mutating func change(_ id: String, _ change: (inout File) -> Void) {
        guard var file = files[id] else { return }
        change(&file)
        file.version += 1
        put(file)
    }

    // MARK: - What people do

    private func isTaken(_ name: String, in folder: String, but id: String? = nil) -> Bool {
        files.values.contains { $0.parentId == folder && $0.name == name && $0.trashedAt == nil && $0.id != id }
    }

    private func lies(_ id: String, in folder: String) -> Bool {
        var at: String? = id
        while let id = at {
            if id == folder { return true }
            at = files[id]?.parentId
        }
        return false
    }

    @discardableResult
    mutating func make(_ name: String, in folder: String, isFolder: Bool) -> String? {
        guard files[folder]?.isFolder == true, !isTaken(name, in: folder) else { return nil }
        lastId += 1
        put(Self.file("f\(lastId)", named: name, in: folder, isFolder: isFolder))
        return "f\(lastId)"
    }

    mutating func edit(_ id: String) { change(id) { $0.checksum = PlannedWorld.hash(Int($0.version) + 1) } }

    mutating func move(_ id: String, to folder: String, named name: String) {
        guard files[folder]?.isFolder == true, !lies(folder, in: id), !isTaken(name, in: folder, but: id) else {
            return
        }
        change(id) { ($0.parentId, $0.name) = (folder, name) }
    }

    mutating func trash(_ id: String) {
        change(id) { ($0.trashed, $0.trashedAt) = (true, Timestamp(seconds: 9)) }
    }

    mutating func untrash(_ id: String) {
        guard let file = files[id], !isTaken(file.name, in: file.parentId ?? "") else { return }
        change(id) { ($0.trashed, $0.trashedAt) = (false, nil) }
    }

    mutating func deletePermanently(_ id: String) {
        for gone in files.keys.filter({ lies($0, in: id) }) {
            files[gone] = nil
            news[gone] = .some(nil)
        }
    }
}
