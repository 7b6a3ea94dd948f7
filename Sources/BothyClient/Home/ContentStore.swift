import Foundation

/// The one place that names where content lies on this device, in folders that only their owner can enter.
package struct ContentStore: Sendable {
    package let folder: String

    package init(folder: String) { self.folder = folder }

    /// What came from standard input and waits to be sent, one file a transfer.
    package var spoolFolder: String { "\(folder)/spool" }

    package func spoolPath(_ transferId: String) -> String { "\(spoolFolder)/\(transferId)" }

    /// Copies of what was put while there was no connection, one file an operation.
    package var pendingFolder: String { "\(folder)/pending" }

    package func pendingPath(_ requestId: String) -> String { "\(pendingFolder)/\(requestId)" }

    /// Content that is here for good or for a while, one file a revision, shared by all that use it.
    package var heldFolder: String { "\(folder)/held" }

    package func heldPath(_ revisionId: String) -> String { "\(heldFolder)/\(revisionId)" }

    /// What was given up before it was ever sent.
    package var trashFolder: String { "\(folder)/trash" }

    package func trashPath(_ requestId: String) -> String { "\(trashFolder)/\(requestId)" }
}
