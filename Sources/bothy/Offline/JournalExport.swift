import BothyClient
import BothyContract
import Foundation

/// Copies of the files that wait to be sent, in a folder of the person's own, each under its path on the server.
struct JournalExport {
    let home: DeviceHome
    /// Absolute.
    let folder: String

    struct Copied: Encodable, Sendable {
        var id: Int64
        /// On the server.
        var path: String
        var local: String
        /// It is not what was put: a disk has damaged the copy that waited.
        var isDamaged: Bool?

        /// What is said of a damaged one.
        var complaint: Complaint {
            Complaint(
                .partlyDone, "The waiting copy of “\(path)” is damaged; what is left of it was saved as “\(local)”.",
                remedy:
                    "Upload the original file again. The copy stays in the journal until you discard it.",
                status: .partlyDone)
        }
    }

    /// Copies one; a name that is taken in the folder gets a counter, and nothing is replaced. What a disk has damaged is copied as well,
    /// under a name that says so: it may be nowhere else.
    ///
    /// - Returns: nil for what has no content of its own.
    func copy(_ operation: JournalOperation) async throws -> Copied? {
        guard let content = operation.content else { return nil }
        let path = try await home.replica.place(of: operation) ?? .root.appending("file \(operation.id)")
        let parent = folder + (path.parent.isRoot ? "" : path.parent.text)
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            let beside = "\(parent)/.\(content.checksum.hex).bothy-copy"
            // What is left of an earlier try is in nobody's way: what is written next says so where it is.
            try? FileManager.default.removeItem(atPath: beside)
            // Moved by then, where all is well.
            defer { try? FileManager.default.removeItem(atPath: beside) }
            try FileManager.default.copyItem(atPath: content.path, toPath: beside)
            // What waits where a person has it is theirs to change.
            let found = content.owned ? try await Self.hash(of: beside) : content.checksum
            let isDamaged = found != content.checksum
            let name = path.name ?? "file \(operation.id)"
            let local = try free(isDamaged ? FileName.damaged(name) : name, in: parent)
            try FileManager.default.moveItem(atPath: beside, toPath: local)
            return Copied(id: operation.id, path: path.text, local: local, isDamaged: isDamaged ? true : nil)
        } catch let error as CocoaError {
            throw Complaint(
                .localUnwritable, "“\(path)” cannot be saved in “\(parent)”: \(error.localizedDescription)",
                remedy: "Choose a folder that you can write to, with enough free space.")
        }
    }

    private static func hash(of path: String) async throws -> ContentHash {
        try await DiskQueue("export").run { [disk = Home.environment.disk] in
            try LocalReading.hash(of: path, disk: disk)
        }
    }

    /// Names that are tried in one folder.
    private static let mostNames = 10_000

    private func free(_ name: String, in parent: String) throws(Complaint) -> String {
        for counter in 0..<Self.mostNames {
            let place = "\(parent)/\(counter == 0 ? name : FileName.numbered(name, counter))"
            if access(place, F_OK) != 0 { return place }
        }
        throw Complaint(.exists, "“\(parent)” has too many files called “\(name)”.", remedy: "Choose another folder.")
    }
}
