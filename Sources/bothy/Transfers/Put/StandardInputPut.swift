import BothyClient
import BothyContract
import Foundation
import NIOCore

/// `bothy put - /name`: what comes in, as a file.
struct StandardInputPut: Sendable {
    let session: TransferSession
    let decider: ExistsDecider

    func run(to path: RemotePath) async throws {
        let home = session.home
        let parent = try await home.folder(
            at: path.parent, remedy: "Create it with “bothy mkdir -p \(path.parent.text.asTyped)”.")
        var conflict = await decider.policyForFreeName
        let there = try await home.files.fileIfPresent(at: path)
        if let there {
            guard !there.isFolder else {
                throw Complaint(
                    .isAFolder, "“\(path)” on the server is a folder, and standard input is a file.",
                    remedy: "Give a file name in it.", status: .notThereOrInConflict)
            }
            if try await decider.decide("“\(path)” already exists.", several: false) == .keepBoth {
                conflict = .fork
            } else {
                conflict = .overwrite
            }
        }
        let order = UploadOrder(
            localPath: PutArguments.standardInput, name: path.name ?? "", parentId: parent.id,
            fileId: conflict == .overwrite ? there?.id : nil, conflict: conflict)
        if home.files.isOffline || parent.isOnlyHere || there?.isOnlyHere == true {
            return try await putLater(to: path, in: parent, over: conflict == .overwrite ? there?.id : nil)
        }
        // From here on it is a transfer like any other: what has come in is kept in the home until it is sent.
        let id = try await home.transfers.upload(order, from: StandardInput())
        try await session.queue.add(
            TransferJob(
                order: .begun(id), label: path.text, local: PutArguments.standardInput, path: path.text, size: nil,
                pathIsOpen: conflict == .fork, isNamed: true))
    }

    /// Without a connection the home keeps what comes in, as it keeps a copy of a file.
    private func putLater(to path: RemotePath, in parent: File, over fileId: String?) async throws {
        let operation = try await session.home.replica.put(
            StandardInput(), as: path.name ?? "", in: parent.id, over: fileId)
        let put = LaterPuts.Put(
            source: ReplicaEngine.LaterPut(
                localPath: PutArguments.standardInput, name: path.name ?? "", parentId: parent.id, fileId: fileId),
            local: PutArguments.standardInput, path: path, size: operation.content?.size ?? 0, isNamed: true)
        try await session.later.tell(put, operation)
    }
}

/// Standard input in pieces. It is read on a thread of its own, since reading blocks; the next piece is only read when
/// the one before was taken.
struct StandardInput: AsyncSequence, Sendable {
    /// Bytes of a piece.
    private static let pieceSize = 1 << 18

    struct AsyncIterator: AsyncIteratorProtocol {
        func next() async throws -> ByteBuffer? {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(with: Result { try StandardInput.readPiece() }) }
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    private static func readPiece() throws -> ByteBuffer? {
        var buffer = ByteBufferAllocator().buffer(capacity: pieceSize)
        while true {
            var count = 0
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: pieceSize) { bytes in
                count = read(STDIN_FILENO, bytes.baseAddress, pieceSize)
                return Swift.max(0, count)
            }
            if count > 0 { return buffer }
            if count == 0 { return nil }
            if errno == EINTR { continue }
            throw Complaint(
                .localUnreadable, "Standard input cannot be read: \(String(cString: strerror(errno))).", status: .failed
            )
        }
    }
}
