import BothyContract
import NIOCore

/// The device's uploads and downloads: begun, watched, paused, resumed, ended.
///
/// A transfer is a record in the device's database. Whoever starts it here runs it; if another process of this
/// device runs it already, it is joined, and taken over should that process die. The same order given again goes
/// on where it was.
public actor TransfersRepository {
    private let store: TransferStore

    package init(
        store: TransferStore, content: ContentStore, locksFolder: String, uploads: UploadsRemoteSource,
        downloads: ContentRemoteSource, environment: ClientEnvironment
    ) {
        self.store = store
    }

    // MARK: - Beginning

    /// Begins uploads, or goes on with those that were begun by the same order.
    ///
    /// - Returns: the transfers' ids, in the order of `orders`.
    /// - Throws: `fileMissing`, `permissionDenied`, `sourceNotAFile` for the first source that cannot be sent.
    public func upload(_ orders: [UploadOrder]) async throws -> [String] { throw Self.notYet }

    /// Keeps what comes from `bytes` in the home's private folder, then uploads it.
    ///
    /// - Parameter order: its `localPath` is not looked at.
    public func upload<Bytes: AsyncSequence & Sendable>(
        _ order: UploadOrder, from bytes: Bytes
    ) async throws -> String where Bytes.Element == ByteBuffer { throw Self.notYet }

    /// Begins downloads, or goes on with those that were begun by the same order.
    ///
    /// - Returns: the transfers' ids, in the order of `orders`.
    public func download(_ orders: [DownloadOrder]) async throws -> [String] { throw Self.notYet }

    /// A file's content from its beginning, checked as it goes: it ends by throwing `integrityMismatch` when the
    /// whole was not what the server says it is.
    ///
    /// - Parameter revisionId: nil for the head.
    public func read(_ fileId: String, revisionId: String? = nil) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { throw Self.notYet }
    }

    // MARK: - Watching

    /// Every transfer of this device, newest first; those that are over only where `over`.
    public func list(over: Bool = false) async throws -> [TransferSnapshot] { throw Self.notYet }

    /// - Parameter id: the id, or as many of its first letters as tell it from the others.
    /// - Throws: `transferNotFound`.
    public func snapshot(_ id: String) async throws -> TransferSnapshot { throw Self.notYet }

    /// The transfers as they go on, each at once as it stands, then at every change (at most ten a second each).
    /// It ends when all of them rest: see `TransferState.rests`.
    public func observe(_ ids: [String]) -> AsyncStream<TransferSnapshot> { AsyncStream { $0.finish() } }

    // MARK: - Steering

    /// Holds a transfer until it is resumed, whichever process runs it.
    public func pause(_ id: String) async throws { throw Self.notYet }

    /// Goes on with a paused, stopped or failed transfer, in this process.
    public func resume(_ id: String) async throws { throw Self.notYet }

    /// `resume`, its count of failures forgotten.
    public func retry(_ id: String) async throws { throw Self.notYet }

    /// Begins again from the first byte: what was sent or fetched so far is given up.
    public func retryFromScratch(_ id: String) async throws { throw Self.notYet }

    /// Ends a transfer for good, and frees what it holds here and on the server.
    public func cancel(_ id: String) async throws { throw Self.notYet }

    /// Removes the records of transfers that are over.
    public func forgetOver() async throws { throw Self.notYet }

    /// Stops what this process runs; each stays `paused(stopped)`, to be resumed later.
    public func stop() async {}

    private static let notYet = ClientFailure(.refused, "Transfers come with the next change.")
}
