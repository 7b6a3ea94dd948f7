import Foundation
import GRDB

extension ClientFailure {
    /// What SQLite refused, told of the file that it was about.
    ///
    /// - Parameter remedy: what a person does about a file that is damaged.
    init(_ error: DatabaseError, path: String, remedy: String) {
        switch error.resultCode {
        case .SQLITE_FULL:
            // Nobody who reads this knows the file; they know where they let this device keep its things.
            self.init(
                .diskFull, "There is no space left on this device's disk. Free some, then try again.",
                remedy: "Its home is “\(Self.home(of: path))”; nothing there was lost.")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.homeBusy, "Another program on this device is using “\(path)” and does not finish.")
        case .SQLITE_IOERR:
            self.init(
                .diskFailed, "The disk of this device's home failed (\(Self.text(error))).",
                remedy:
                    "Check the disk of “\(Self.home(of: path))”, then try again. Earlier data is kept.")
        case .SQLITE_READONLY:
            self.init(
                .homeUnusable, "“\(path)” cannot be written: its disk is read-only, or it is somebody else's.",
                remedy: "Make it writable for you, or set BOTHY_HOME to a folder that you can write to.")
        case .SQLITE_CANTOPEN, .SQLITE_PERM: self.init(.homeUnusable, "“\(path)” cannot be opened for writing.")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.homeUnusable, "“\(path)” is damaged.", remedy: remedy)
            isDamage = true
        default: self.init(.unexpected, "The database “\(path)” failed: \(Self.text(error)).")
        }
    }

    private static func home(of path: String) -> String { (path as NSString).deletingLastPathComponent }
    private static func text(_ error: DatabaseError) -> String { error.message ?? error.resultCode.description }
}
