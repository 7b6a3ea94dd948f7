import BothyClient
import BothyContent
import BothyContract
import Synchronization

/// Uploads into made-up folders, a chunk at a time: for tests of screens, with whatever goes wrong that they want.
package final class MadeUpUploads: UploadRepository {
    package static let chunkSize: Int64 = 4

    private struct Session {
        var standing: UploadStanding
        var modifiedAt: Timestamp
    }

    private struct State {
        var sessions: [String: Session] = [:]
        var begun = 0
        var failures: [Int: ClientFailure] = [:]
        var canceled = [String]()
    }

    private let folders: MadeUpFolders
    private let state = Mutex(State())

    package init(_ folders: MadeUpFolders) { self.folders = folders }

    /// The session that was given up, in order.
    package var canceled: [String] { state.withLock { $0.canceled } }

    /// Fails once, before a chunk is taken, counted from 0.
    package func fail(with failure: ClientFailure, atChunk index: Int) {
        state.withLock { $0.failures[index] = failure }
    }

    package func upload(
        _ file: UploadFile, to folder: ItemID, conflict: ConflictPolicy
    ) -> AsyncThrowingStream<UploadStanding, any Error> {
        AsyncThrowingStream { continuation in
            let sending = Task {
                do {
                    try await send(file, to: folder, conflict) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in sending.cancel() }
        }
    }

    package func underWay() async throws -> [UploadStanding] {
        state.withLock { $0.sessions.values.map(\.standing).sorted { $0.id > $1.id } }
    }

    package func content(of item: ItemID) async throws -> HeldContentFacts {
        let there = try await folders.item(item)
        guard !there.isFolder else { throw ClientFailure(.notAFile, "This is a folder.") }
        let bytes = try await folders.beginning(of: item, most: Int(there.size))
        return HeldContentFacts(size: there.size, checksum: SHA256Hasher.hash(bytes))
    }

    package func cancel(_ id: String) async throws {
        state.withLock {
            $0.sessions[id] = nil
            $0.canceled.append(id)
        }
    }

    private func send(
        _ file: UploadFile, to folder: ItemID, _ conflict: ConflictPolicy, tell: (UploadStanding) -> Void
    ) async throws {
        let taken = try folders.names(in: folder)
        if taken.contains(file.name), conflict == .fail {
            let words = "There is already something called “\(file.name)” in this folder."
            var problem = Problem(.nameConflict, words)
            problem.conflictingFileId = try folders.child(named: file.name, of: folder)?.text
            throw ClientFailure(problem)
        }
        var standing = begin(file, in: folder)
        tell(standing)
        var text = [UInt8]()
        for index in 0..<Int((file.size + Self.chunkSize - 1) / Self.chunkSize) {
            try Task.checkCancellation()
            let start = Int64(index) * Self.chunkSize
            text += try await file.read(start..<min(start + Self.chunkSize, file.size))
            guard standing.missing.contains(index) else { continue }
            if let failure = state.withLock({ $0.failures.removeValue(forKey: index) }) { throw failure }
            standing.received = ((0..<index).filter { !standing.missing.contains($0) } + [index]).chunkRuns
            state.withLock { $0.sessions[standing.id]?.standing = standing }
            tell(standing)
        }
        let name = taken.contains(file.name) && conflict == .fork ? FileName.numbered(file.name, 1) : file.name
        if conflict == .overwrite, let old = try folders.child(named: file.name, of: folder) { folders.throwAway(old) }
        standing.item = try await folders.item(folders.put(name, text: text, in: folder))
        state.withLock { $0.sessions[standing.id] = nil }
        tell(standing)
    }

    private func begin(_ file: UploadFile, in folder: ItemID) -> UploadStanding {
        state.withLock { state in
            let known = state.sessions.values.first {
                $0.standing.name == file.name && $0.standing.folder == folder && $0.standing.size == file.size
                    && $0.modifiedAt == file.modifiedAt
            }
            if let known { return known.standing }
            state.begun += 1
            let standing = UploadStanding(
                id: "u\(state.begun)", folder: folder, name: file.name, size: file.size, chunkSize: Self.chunkSize,
                received: [])
            state.sessions[standing.id] = Session(standing: standing, modifiedAt: file.modifiedAt)
            return standing
        }
    }
}
