import BothyClient
import BothyContract

/// Out of the server's trash again, where somebody may have made the same anew since.
extension Reversing {
    /// A file that is there again with the same content makes no double; of a folder that is there again what was deleted of
    /// it comes back into that.
    ///
    /// - Returns: nil for what is out of the trash already.
    /// - Throws: `changedMeanwhile` for what is there again.
    mutating func untrash(_ id: String, _ at: Place, noting trace: inout Decision.Trace) async throws -> Done? {
        let file = try await current(id)
        if file.trashedAt == nil { return nil }
        guard let folder = try await home(of: file) else { return Done(facts: try await takeOut(file)) }
        if let there = remote.child(NodeName(file.name), of: folder) {
            if file.isFolder, there.kind == .folder {
                let trashed = Dictionary(grouping: try await cache.trashed(), by: \.parentId)
                try await bringBack(file, into: there, at, of: trashed, noting: &trace)
                guard trace.brought != nil else { throw Self.isThere(at) }
                return Done()
            }
            if there.isSame(as: file) { throw Self.isThere(at) }
        }
        return Done(facts: try await takeOut(file, into: folder == file.parentId ? nil : folder))
    }

    /// The folder that something in the trash comes back into: its own, or what stands in the place of that by now; nil
    /// where neither is there, and its own comes back with it.
    func home(of file: File) async throws -> String? {
        // Folders above it that are gone, the nearest first. A server may say that they lie in one another.
        var (gone, next) = ([File](), file.parentId)
        while let id = next, remote.node(id) == nil {
            guard !gone.contains(where: { $0.id == id }), let folder = try await cache.file(id) else { return nil }
            gone.append(folder)
            next = folder.parentId
        }
        for folder in gone.reversed() {
            let there = next.flatMap { remote.child(NodeName(folder.name), of: $0) }
            guard there?.kind == .folder else { return nil }
            next = there?.id
        }
        return next
    }

    /// - Parameter trashed: what lies in the trash, by the folder that it lies in.
    private mutating func bringBack(
        _ folder: File, into there: RemoteFacts, _ place: Place, of trashed: [String?: [File]],
        noting trace: inout Decision.Trace
    ) async throws {
        for file in (trashed[folder.id] ?? []).sorted(by: { $0.name < $1.name }) {
            // What was deleted by itself before that is not part of it.
            guard file.trashedAt == nil, answers[file.id] == nil else { continue }
            let at = place.appending(NodeName(file.name))
            let other = remote.child(NodeName(file.name), of: there.id)
            if let other, file.isFolder, other.kind == .folder {
                try await bringBack(file, into: other, at, of: trashed, noting: &trace)
                continue
            }
            if let other, other.isSame(as: file) { continue }
            let back = try await takeOut(file, into: there.id)
            trace.brought =
                (trace.brought ?? []) + [
                    Brought(id: file.id, place: at, content: back.checksum, count: Self.count(of: file, in: trashed))
                ]
        }
    }

    /// - Parameter folder: nil for its own; there a name that is taken gives way.
    private mutating func takeOut(_ file: File, into folder: String? = nil) async throws -> RemoteFacts {
        var change = UpdateFileRequest(parentId: folder, trashed: false)
        var attempt = 0
        while true {
            do {
                return RemoteFacts(try await update(file, change))
            } catch let failure as ClientFailure where failure.code == .nameConflict {
                guard folder != nil, attempt < Reversal.mostNumbers else { throw failure }
                change.name = GivenNames.numbered(NodeName(file.name), attempt: attempt).text
                attempt += 1
            }
        }
    }

    private static func count(of file: File, in trashed: [String?: [File]]) -> Int {
        var (count, waiting) = (0, [file])
        while let next = waiting.popLast() {
            count += 1
            waiting += (trashed[next.id] ?? []).filter { $0.trashedAt == nil }
        }
        return count
    }

    static func isThere(_ place: Place) -> ClientFailure {
        ClientFailure(.changedMeanwhile, "“\(place)” exists again.", remedy: "It is left unchanged.")
    }
}

extension RemoteTree {
    func child(_ name: NodeName, of folder: String) -> RemoteFacts? {
        node(folder).flatMap { tree.child(name, of: $0) }.map { tree[$0] }
    }
}

extension RemoteFacts {
    /// Whether both are files with one content.
    fileprivate func isSame(as other: File) -> Bool {
        kind == .file && !other.isFolder && (checksum ?? .ofNothing) == (other.checksum ?? .ofNothing)
    }
}
