import BothyContract
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

    /// Marks of the copies in ``pendingFolder`` that are being made: see ``CopyMarks``.
    package var copyingFolder: String { "\(folder)/copying" }

    /// What a browser is handing over: one file an upload, and its record beside it.
    package var arrivingFolder: String { "\(folder)/arriving" }

    package func arrivingPath(_ id: String) -> String { "\(arrivingFolder)/\(id)" }

    /// Content that is here for good or for a while, one file a revision, shared by all that use it.
    package var heldFolder: String { "\(folder)/held" }

    package func heldPath(_ revisionId: String) -> String { "\(heldFolder)/\(revisionId)" }

    /// Pictures of posts, and what is attached to them where it is small.
    package var postsFolder: String { "\(folder)/posts" }

    /// Small pictures of files.
    package var picturesFolder: String { "\(folder)/pictures" }

    /// What was given up before it was ever sent.
    package var trashFolder: String { "\(folder)/trash" }

    /// A file of one of the folders.
    package struct Entry: Equatable, Sendable {
        package var name: String
        /// As the disk gives them out.
        package var bytes: Int64
        /// When the file itself last changed in any way, its name too.
        package var changedAt: Timestamp
    }

    /// What lies in a folder, by name; what is still being written has a name that begins with a dot.
    package func entries(in folder: String) throws(ClientFailure) -> [Entry] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw ClientFailure(.homeUnusable, "“\(folder)” cannot be listed.")
        }
        return names.sorted().compactMap { name in
            var status = stat()
            guard !name.hasPrefix("."), lstat("\(folder)/\(name)", &status) == 0 else { return nil }
            #if os(Linux)
                let changed = status.st_ctim
            #else
                let changed = status.st_ctimespec
            #endif
            return Entry(
                name: name, bytes: Int64(status.st_blocks) * 512,
                changedAt: Timestamp(seconds: Int64(changed.tv_sec), nanoseconds: Int32(changed.tv_nsec)))
        }
    }

    package func trashPath(_ requestId: String) -> String { "\(trashFolder)/\(requestId)" }
}
