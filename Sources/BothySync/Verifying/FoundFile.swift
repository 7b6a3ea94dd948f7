import BothyClient
import BothyContract

/// What a look found where a file is known to be.
package enum FoundFile: Equatable, Sendable {
    case nothing
    /// A folder, a link or the like.
    case somethingElse
    /// Somebody wrote in it while it was read.
    case beingWritten
    case unreadable(ClientFailure)
    /// Of a file of another size nothing is read: it has another content.
    case file(LocalStamp, ContentHash?)

    /// What a look that failed tells.
    ///
    /// - Throws: the failure where it is that nobody waits for the look any more.
    package init(_ failure: ClientFailure) throws(ClientFailure) {
        switch failure.code {
        case .canceled: throw failure
        case .fileMissing, .destinationFolderMissing: self = .nothing
        case .sourceChanged: self = .beingWritten
        default: self = .unreadable(failure)
        }
    }
}
