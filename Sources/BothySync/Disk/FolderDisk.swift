import BothyClient
import BothyContract

/// The disk of one bound folder. A real one, and the simulated world's, stand behind it.
///
/// Every call may block its thread. Every path is walked name by name below the folder, through no symbolic link. Every
/// error is a `ClientFailure` that names the path: `fileMissing`, `permissionDenied`, `diskFull`, `destinationExists`,
/// `changedMeanwhile` when what is there is not what was expected, `fileInUse` when a program may still write in what would be
/// replaced or taken away; then nothing has been changed.
///
/// Beside a person's files the folder has a private one, `.bothy`, on the same volume: the mark that says whose folder this
/// is, what arrives before it is put in its place (`staging`), and what was taken away (`trash`).
package protocol FolderDisk: Sendable {
    // MARK: Looking

    /// The bound folder itself; nil when nothing, or no folder, is there.
    func root() throws(ClientFailure) -> DiskFacts?
    /// The mark that `claim` left, or nil: an empty mount point and another folder under this name have none.
    func mark() throws(ClientFailure) -> String?
    /// The mark of a folder in it: it was claimed by itself, or is a copy of one that was.
    func mark(of folder: Place) throws(ClientFailure) -> String?
    /// What lies in a folder except for `.bothy` in the root, in the order of the names' bytes.
    func list(_ folder: Place) throws(ClientFailure) -> [DiskEntry]
    /// - Returns: nil when nothing is there, or something in the way is no folder.
    func facts(_ path: Place) throws(ClientFailure) -> DiskFacts?
    /// Reads all of a file.
    ///
    /// - Throws: `sourceChanged` when it was not `expected` before or after the reading.
    func hash(_ path: Place, expecting expected: DiskFacts) throws(ClientFailure) -> ContentHash
    /// Reads all of several files, each as one alone.
    ///
    /// - Returns: what came of each, in their order.
    func hash(_ files: [ExpectedFile]) -> [Result<ContentHash, ClientFailure>]
    /// Whether somebody has the file open to write in it, as far as the disk can tell.
    func isBeingWritten(_ path: Place) throws(ClientFailure) -> Bool
    /// - Throws: `fileTooLarge` for more than `limit` bytes.
    func contents(_ path: Place, atMost limit: Int) throws(ClientFailure) -> [UInt8]
    /// Bytes that a person without privileges may still write.
    func freeBytes() throws(ClientFailure) -> Int64
    /// The time that a file would get which was written now, as the disk keeps it: a disk of the network has a clock of its own.
    ///
    /// - Throws: where the private folder is not there or cannot be written.
    func time() throws(ClientFailure) -> Timestamp
    /// Whether an inode has the same number after the disk was mounted anew.
    func keepsInodes() throws(ClientFailure) -> Bool
    /// Whether a file in the staging folder may have a name. It leaves nothing there.
    ///
    /// - Throws: for any failure that says nothing of the name.
    func takesName(_ name: String) throws(ClientFailure) -> Bool

    // MARK: Changing

    /// Makes `.bothy` and leaves the mark. A mark that is there is replaced.
    func claim(mark: String) throws(ClientFailure)
    /// Takes `.bothy` away, with what is in it; where the trash is kept, the mark and what was arriving alone.
    func disclaim(keepingTrash: Bool) throws(ClientFailure)
    func makeFolder(_ path: Place) throws(ClientFailure) -> DiskFacts
    /// Renames, and never replaces: `destinationExists`.
    func move(_ from: Place, to: Place, expecting expected: DiskFacts) throws(ClientFailure) -> DiskFacts
    /// Puts a staged file in its place, durably: the file that was there gives it its mode, owner, ACL and extended
    /// attributes, and goes to `keep` in the trash. Without `replacing`, nothing may be there. A folder that is taken away meanwhile
    /// takes nothing along: `changedMeanwhile`, and the file is staged again.
    ///
    /// - Returns: what stands at `path` now.
    func install(
        _ staged: StagedFile, at path: Place, replacing expected: DiskFacts?, keep: String
    ) throws(ClientFailure) -> DiskFacts
    /// Puts several in their places, as one alone; they need not wait for each other to be durable.
    ///
    /// - Returns: what came of each, in their order.
    func install(_ files: [Installation]) -> [Result<DiskFacts, ClientFailure>]
    /// Moves a file, or a folder with all below it, to `keep` in the trash.
    ///
    /// Like `install`, it reads the file where what is expected of it has a content (``DiskFacts/content``).
    @discardableResult
    func discard(_ path: Place, expecting expected: DiskFacts, keep: String) throws(ClientFailure) -> Moved
    /// - Throws: `changedMeanwhile` for a folder with anything in it.
    func removeFolder(_ path: Place) throws(ClientFailure)
    /// Sets the file's own time, and the executable bit for those who may read it.
    func touch(
        _ path: Place, modifiedAt: Timestamp, executable: Bool, expecting expected: DiskFacts
    ) throws(ClientFailure) -> DiskFacts

    // MARK: The private folder

    /// Where `list`, `facts` and `contents` find something that is in the trash.
    func trashed(_ keep: String) -> Place
    /// The same of something staged.
    func stagedPlace(_ name: String) -> Place
    /// The absolute path of something in the bound folder, for what transfers read.
    func absolute(_ path: Place) -> String
    /// The absolute path of a name in the staging folder, for what transfers write.
    func staging(_ name: String) -> String
    /// Writes a small file into the staging folder.
    func stage(_ bytes: [UInt8], as name: String) throws(ClientFailure)
    /// Copies a file into the staging folder, by reference where the disk can. What is there under the name is replaced. It is made durable
    /// where it is installed.
    ///
    /// - Returns: what the copy holds, whatever happened to the file meanwhile.
    func stageCopy(
        of path: Place, expecting expected: DiskFacts, as name: String
    ) throws(ClientFailure) -> ContentHash
    /// Names in the staging folder.
    func staged() throws(ClientFailure) -> [String]
    /// Deletes something staged. What is not there is fine.
    func unstage(_ name: String) throws(ClientFailure)
    /// Moves what was staged and never put in its place to the trash: it may be a person's.
    func discardStaged(_ name: String, keep: String) throws(ClientFailure)
    func isInTrash(_ keep: String) throws(ClientFailure) -> Bool
    /// Puts something from the trash back, and never replaces.
    func takeBack(_ keep: String, to path: Place) throws(ClientFailure) -> DiskFacts
    /// Deletes something from the trash for good, a folder with all below it. What is not there is fine.
    func purge(_ keep: String) throws(ClientFailure)
}

/// A file, and what has to be found there.
package struct ExpectedFile: Sendable {
    package var place: Place
    package var facts: DiskFacts

    package init(place: Place, facts: DiskFacts) {
        self.place = place
        self.facts = facts
    }
}

/// A whole file in the staging folder, and what it gets when it is put in its place.
package struct StagedFile: Equatable, Sendable {
    package var name: String
    package var modifiedAt: Timestamp
    package var executable: Bool

    package init(name: String, modifiedAt: Timestamp, executable: Bool) {
        self.name = name
        self.modifiedAt = modifiedAt
        self.executable = executable
    }
}

/// A staged file, and where it is to be put.
package struct Installation: Sendable {
    package var file: StagedFile
    package var place: Place
    /// What it takes the place of; nil where nothing may be there.
    package var replacing: DiskFacts?
    /// Where that goes in the trash.
    package var keep: String

    package init(file: StagedFile, place: Place, replacing: DiskFacts?, keep: String) {
        self.file = file
        self.place = place
        self.replacing = replacing
        self.keep = keep
    }
}

extension ClientFailure {
    /// Nothing is taken away under a program: what it writes later would go where nobody looks.
    package static func inUse(_ file: Place) -> ClientFailure {
        ClientFailure(.fileInUse, "“\(file)” is open in a program that may still write to it.")
    }
}

extension FolderDisk {
    /// For disks that read one after the other.
    package func hash(_ files: [ExpectedFile]) -> [Result<ContentHash, ClientFailure>] {
        files.map { file in Result { () throws(ClientFailure) in try hash(file.place, expecting: file.facts) } }
    }

    /// For disks that put one after the other in its place.
    package func install(_ files: [Installation]) -> [Result<DiskFacts, ClientFailure>] {
        files.map { file in
            Result { () throws(ClientFailure) in
                try install(file.file, at: file.place, replacing: file.replacing, keep: file.keep)
            }
        }
    }
}

/// Names that are Bothy's own in a bound folder.
package enum PrivateNames {
    /// The private folder in the bound folder's root.
    package static let folder = SyncedFolderNames.own
    /// What a download that was begun in a person's folder ends in.
    package static let partial = ".bothy-part"

    /// Whether a name in a folder is never a person's.
    package static func holds(_ name: String, in folder: Place) -> Bool { holds(name, inRoot: folder.isRoot) }

    static func holds(_ name: String, inRoot: Bool) -> Bool {
        (inRoot && name == PrivateNames.folder) || isPartial(name)
    }

    /// Whether a name is one that a download under way has: `.NAME.0123456789ab.bothy-part`. With no less a person's own file would be taken
    /// for one.
    static func isPartial(_ name: String) -> Bool {
        guard name.hasSuffix(partial), name.hasPrefix(".") else { return false }
        let (stem, number) = (
            name.utf8.dropLast(partial.utf8.count).dropLast(12), name.utf8.dropLast(partial.utf8.count).suffix(12)
        )
        return stem.count > 2 && stem.last == UInt8(ascii: ".")
            && number.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
