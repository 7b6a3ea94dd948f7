import Foundation

/// The one place that names where content lies on this device, in folders that only their owner can enter.
package struct ContentStore: Sendable {
    package let folder: String

    package init(folder: String) { self.folder = folder }

    /// What came from standard input and waits to be sent, one file a transfer.
    package var spoolFolder: String { "\(folder)/spool" }

    package func spoolPath(_ transferId: String) -> String { "\(spoolFolder)/\(transferId)" }
}
