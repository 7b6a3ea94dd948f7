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
    }

    /// Copies one; a name that is taken in the folder gets a counter, and nothing is replaced.
    ///
    /// - Returns: nil for what has no content of its own.
    func copy(_ operation: JournalOperation) async throws -> Copied? {
        guard let content = operation.content else { return nil }
        let path = try await home.replica.place(of: operation) ?? .root.appending("file \(operation.id)")
        let parent = folder + (path.parent.isRoot ? "" : path.parent.text)
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            let local = try free(path.name ?? "file \(operation.id)", in: parent)
            try FileManager.default.copyItem(atPath: content.path, toPath: local)
            return Copied(id: operation.id, path: path.text, local: local)
        } catch let error as CocoaError {
            throw Complaint(
                .localUnwritable, "“\(path)” cannot be saved in “\(parent)”: \(error.localizedDescription)",
                remedy: "Choose a folder that you can write in, with room for it.")
        }
    }

    /// Names that are tried in one folder.
    private static let mostNames = 10_000

    private func free(_ name: String, in parent: String) throws(Complaint) -> String {
        for counter in 0..<Self.mostNames {
            let place = "\(parent)/\(counter == 0 ? name : FileName.numbered(name, counter))"
            if access(place, F_OK) != 0 { return place }
        }
        throw Complaint(.exists, "“\(parent)” is full of files called “\(name)”.", remedy: "Choose another folder.")
    }
}
