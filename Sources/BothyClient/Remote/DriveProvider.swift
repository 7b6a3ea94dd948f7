import BothyContract

/// A drive as the engine uses it: it keeps a person's files, and tells what changed by a cursor.
///
/// Our own server is one (`BothyDrive`), the simulated world's model another; `Tests/DriveConformance` says what holds
/// for each. After the `DriveProvider` of «Building a document delta sync engine» (authenticate, changes by cursor,
/// upload, download, delete, quota), with what an engine needs besides so that nothing is lost.
///
/// Every mutation carries a request id from outside: the same id with the same request acts once and answers the same
/// again, however often it is sent, over restarts of either side. Every method throws `ClientFailure`.
public protocol DriveProvider: Sendable {
    var capabilities: DriveCapabilities { get }

    // MARK: Who

    /// Makes sure that somebody is signed in, and says who.
    ///
    /// - Throws: `signInNeeded`, when a person has to.
    func authenticate() async throws -> DriveIdentity
    func quota() async throws -> DriveQuota

    // MARK: What is there

    /// A cursor for «now».
    func cursor() async throws -> String
    /// What changed after a cursor, in commit order, each entity once in a page at its newest state; without a cursor
    /// everything there is, parents first. A page may name what a page before it named.
    ///
    /// - Throws: a failure whose problem is `cursorExpired` for a cursor that is too old, or of another past: link
    ///   again, where absence is never a deletion.
    func changes(after cursor: String?) async throws -> GetChangesResponse
    /// What the log would tell after a cursor, as far as the drive has told it already by its answers to this device's own changes.
    ///
    /// - Returns: a page that may not be the last; nil where only the log can tell, since a change of somebody else's may be among them.
    func ownChanges(after cursor: String) async -> GetChangesResponse?
    /// The beginning of that, as far as the answers that came until now join; more may be on its way.
    ///
    /// - Returns: a page that is not the last; nil where nothing joins yet.
    func beginningOfOwnChanges(after cursor: String) async -> GetChangesResponse?
    /// What the drive remembers of what was deleted.
    ///
    /// - Parameter page: the `next` of the page before.
    func deletions(since: Timestamp?, page: String?) async throws -> GetDeletionsResponse
    /// - Throws: `notFound`.
    func file(_ id: String) async throws -> File

    // MARK: Changing

    /// - Throws: `nameConflict`, `parentGone`, `notAFolder`, `invalidName`.
    func createFolder(named name: String, in parentId: String, requestId: String) async throws -> File
    /// Renames, moves, stars, hides, takes out of the trash: what is nil stays as it is. The change's own `requestId`
    /// is not looked at.
    ///
    /// - Parameter seen: refuse with `changedMeanwhile` when the file is at another version.
    /// - Throws: `notFound`, `nameConflict`, `parentGone`, `changedMeanwhile`, `refused` for a cycle.
    func update(_ id: String, _ change: UpdateFileRequest, seen: SeenVersion?, requestId: String) async throws -> File
    /// Puts a file, or a folder with all below it, into the trash.
    ///
    /// - Parameter version: refuse with `changedMeanwhile` when it is at another version, so that what was moved stays.
    /// - Returns: the version that it has there.
    /// - Throws: `changedMeanwhile` or `revisionConflict` when `seen` is not what is there: then nothing is trashed.
    func trash(
        _ id: String, seen: SeenContent, version: SeenVersion?, requestId: String
    ) async throws -> Int64
    /// Deletes for good, with every revision.
    func deletePermanently(_ id: String, seen: SeenContent, requestId: String) async throws

    // MARK: Requests

    /// What has come of a request of this device's, whose answer may have been lost.
    ///
    /// - Parameter withdrawing: nothing more shall come of it: if nothing has yet, it is refused when it arrives.
    func end(of requestId: String, withdrawing: Bool) async throws -> RequestEnd

    /// An upload that is not wanted any more leaves nothing behind on this device that waits.
    func letGo(ofUpload requestId: String) async throws

    // MARK: Bytes

    /// Sends a file's content: a new file, or a new revision of one that is there. A call with the same request id
    /// resumes where the last one stopped.
    ///
    /// - Returns: the file as it is then. Its `requestId`, where this created it, is the upload's own, or begins with it
    ///   and a hyphen.
    /// - Throws: `revisionConflict`, `nameConflict`, `parentGone`, `quotaExceeded`, `sourceChanged`, `sourceDamaged`, `fileMissing` …
    func upload(_ upload: DriveUpload) async throws -> File
    /// Sends several, and returns once each has come to its end: small ones together, where the drive has a way to.
    ///
    /// - Returns: what became of each, in their order, as `upload(_:)` would return or throw it.
    func upload(_ uploads: [DriveUpload]) async -> [Result<File, any Error>]
    /// Fetches a file's content; it appears at its destination whole and checked, or not at all.
    func download(_ download: DriveDownload) async throws -> DownloadedContent
    /// Fetches several, as `upload(_:)` sends them.
    func download(_ downloads: [DriveDownload]) async -> [Result<DownloadedContent, any Error>]
    /// Hears of content that was not fetched, since it was here. What a drive would keep of a download, to send the next version as what
    /// changed, it keeps of this.
    func remember(_ copy: DriveCopy) async throws
    /// Downloads that were interrupted, and that nobody continues, leave nothing behind on this device: no part of a file.
    ///
    /// - Parameters:
    ///   - beginning: how their destinations begin: a folder's path and a slash.
    ///   - wanted: the destinations of those that somebody does continue.
    func letGo(ofDownloadsTo beginning: String, but wanted: Set<String>) async throws
}

/// What a drive can do beyond what every drive can.
public struct DriveCapabilities: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `SeenVersion` and `SeenContent` are checked where the change is made.
    public static let conditionalChanges = DriveCapabilities(rawValue: 1 << 0)
    /// Deleted things are remembered, for a year.
    public static let deletionMemory = DriveCapabilities(rawValue: 1 << 1)
    /// Trashed things can be brought back.
    public static let trash = DriveCapabilities(rawValue: 1 << 2)
    /// Older content can be fetched by its revision.
    public static let revisions = DriveCapabilities(rawValue: 1 << 3)
    /// An interrupted upload or download can resume.
    public static let resumableTransfers = DriveCapabilities(rawValue: 1 << 4)
}

extension DriveProvider {
    /// Whose drive it is.
    ///
    /// - Returns: nil where nobody is signed in, or who is cannot be asked without a connection: the first request says so then.
    /// - Throws: what keeps this device from knowing, which is no sign that anybody may.
    package func owner() async throws -> DriveIdentity? {
        do {
            return try await authenticate()
        } catch let failure as ClientFailure where failure.code == .signInNeeded || failure.isNetworks {
            return nil
        }
    }

    /// For drives whose answers tell no places in the log.
    public func ownChanges(after cursor: String) async -> GetChangesResponse? { nil }

    /// For drives whose changes are taken in once all are done.
    public func beginningOfOwnChanges(after cursor: String) async -> GetChangesResponse? { nil }

    /// For drives that send every version whole.
    public func remember(_ copy: DriveCopy) async throws {}

    /// For drives that send one after the other.
    public func upload(_ uploads: [DriveUpload]) async -> [Result<File, any Error>] {
        var files = [Result<File, any Error>]()
        for upload in uploads { files.append(await Result(awaiting: { try await self.upload(upload) })) }
        return files
    }

    /// For drives that fetch one after the other.
    public func download(_ downloads: [DriveDownload]) async -> [Result<DownloadedContent, any Error>] {
        var contents = [Result<DownloadedContent, any Error>]()
        for download in downloads { contents.append(await Result(awaiting: { try await self.download(download) })) }
        return contents
    }

    /// For drives whose uploads are nothing but requests.
    public func letGo(ofUpload requestId: String) async throws {}

    /// For drives whose downloads begin anew each time.
    public func letGo(ofDownloadsTo beginning: String, but wanted: Set<String>) async throws {}

    /// Puts a file, or a folder with all below it, into the trash, at whatever version and place it is.
    public func trash(_ id: String, seen: SeenContent, requestId: String) async throws -> Int64 {
        try await trash(id, seen: seen, version: nil, requestId: requestId)
    }
}
