import BothyContract
import NIOCore

/// Files that are put without a connection, many at once.
extension ReplicaEngine {
    /// A file to be put later: see ``put(_:as:in:over:conflict:mimeType:checksum:)``.
    public struct LaterPut: Sendable {
        /// Absolute.
        public var localPath: String
        public var name: String
        /// The server's id of the folder, or a LUID in text.
        public var parentId: String
        /// The file that gets a new version; nil for a new file.
        public var fileId: String?

        public init(localPath: String, name: String, parentId: String, fileId: String? = nil) {
            self.localPath = localPath
            self.name = name
            self.parentId = parentId
            self.fileId = fileId
        }
    }

    /// Copies that are made side by side: each waits for the disk.
    private static let copiesAtOnce = 8

    /// Puts several files, as ``put(_:as:in:over:conflict:mimeType:checksum:)`` does, written down by one transaction. They go to
    /// different places: none is a version of another.
    ///
    /// - Returns: what became of each, in their order.
    /// - Throws: what kept all of them from being written down.
    public func put(_ puts: [LaterPut]) async throws -> [Result<JournalOperation, ClientFailure>] {
        let kept = await copies(of: puts)
        var (drafts, places) = ([JournalRecorder.Draft](), [Int]())
        var results = [Result<JournalOperation, ClientFailure>]()
        do {
            for (place, (put, copy)) in zip(puts, kept).enumerated() {
                results.append(.failure(Self.unknown))
                do {
                    drafts.append(try await draft(put, try copy.get()))
                    places.append(place)
                } catch let failure as ClientFailure {
                    results[place] = .failure(failure)
                }
            }
            let outcomes = try await JournalRecorder(store: try store(), clock: environment.clock).record(drafts)
            for (place, outcome) in zip(places, outcomes) {
                switch outcome {
                case .success(.recorded(let operation)): results[place] = .success(operation)
                case .success(.collapsed): break
                case .failure(let failure): results[place] = .failure(failure)
                }
            }
        } catch {
            for copy in kept { remove(try? copy.get()) }
            throw error
        }
        for (result, copy) in zip(results, kept) {
            if case .failure = result { remove(try? copy.get()) }
        }
        await show(results.compactMap { try? $0.get() })
        return results
    }

    /// Puts what comes in, to be sent when there is a connection; the device keeps it until then.
    ///
    /// - Parameter fileId: the file that gets a new version; nil for a new file.
    /// - Throws: `diskFull`, and whatever `bytes` throws; then nothing is kept.
    public func put<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes, as name: String, in parentId: String, over fileId: String? = nil
    ) async throws -> JournalOperation where Bytes.Element == ByteBuffer {
        let spooled = content.spoolPath(OrderedId.new(at: environment.clock.now()))
        _ = try await Spool(path: spooled, disk: environment.disk).fill(from: bytes)
        // One that cannot be removed now is swept later.
        defer { try? environment.disk.remove(spooled) }
        let put = LaterPut(localPath: spooled, name: name, parentId: parentId, fileId: fileId)
        return try await self.put([put])[0].get()
    }

    private func draft(_ put: LaterPut, _ kept: PendingContent) async throws -> JournalRecorder.Draft {
        guard let fileId = put.fileId else {
            return JournalRecorder.Draft(
                action: .upload(
                    parent: try await luid(of: put.parentId), name: put.name, content: kept, conflict: .fork))
        }
        let subject = try await luid(of: fileId)
        let base = try await file(subject)?.headRevisionId
        return JournalRecorder.Draft(action: .newRevision(content: kept, base: base), subject: subject)
    }

    private nonisolated func copies(of puts: [LaterPut]) async -> [Result<PendingContent, ClientFailure>] {
        await withTaskGroup(of: (Int, Result<PendingContent, ClientFailure>).self) { group in
            var (copies, next) = ([Result<PendingContent, ClientFailure>?](repeating: nil, count: puts.count), 0)
            func begin() {
                guard next < puts.count else { return }
                let (place, path) = (next, puts[next].localPath)
                next += 1
                group.addTask { (place, await self.copy(of: path)) }
            }
            for _ in 0..<Self.copiesAtOnce { begin() }
            for await (place, copy) in group {
                copies[place] = copy
                begin()
            }
            return copies.compactMap(\.self)
        }
    }

    private nonisolated func copy(of localPath: String) async -> Result<PendingContent, ClientFailure> {
        do {
            return .success(try await keep(localPath))
        } catch let failure as ClientFailure {
            return .failure(failure)
        } catch {
            return .failure(ClientFailure(.unexpected, "“\(localPath)” could not be copied: \(error)."))
        }
    }

    /// A copy that nothing waits for. One that cannot be removed now is swept later.
    private func remove(_ copy: PendingContent?) {
        if let copy { try? environment.disk.remove(copy.path) }
    }
}
