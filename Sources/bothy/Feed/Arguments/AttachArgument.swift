import BothyClient
import BothyContract
import BothyPresentation

/// A picture or video of a post, as somebody types it: a path on the server where it begins with “/” and a file is there, else a path
/// on this machine.
struct AttachArgument: Sendable {
    /// The folder of the drive that files of this machine go into.
    static var folder: String { Words.english[.postsFolder] }

    var typed: String
    var caption: String?

    func find(in home: DeviceHome) async throws -> PostFile {
        let there = typed.hasPrefix("/") ? try await onServer(home) : nil
        if let there, !there.isFolder {
            var attachment = try AttachableFile(there).attachment
            attachment.caption = caption
            return .there(attachment)
        }
        switch try LocalItem.at(typed) {
        case .nothing: throw there == nil ? nowhere : isAFolder("“\(typed)” on the server")
        case .folder: throw isAFolder("“\(typed)”")
        case .other:
            throw Complaint(
                .localUnreadable, "“\(typed)” is neither a file nor a folder.", remedy: "Choose a picture or a video.",
                status: .notThereOrInConflict)
        case .file:
            return .here(
                try PostFile.Local(
                    path: PutPlanner.absolute(typed), name: LocalName.of(typed) ?? typed, caption: caption))
        }
    }

    /// - Returns: a file or a folder; nil where nothing has that path on the server, as far as that can be told.
    private func onServer(_ home: DeviceHome) async throws -> File? {
        do {
            return try await home.files.file(at: try RemoteArgument(typed).path)
        } catch let failure as ClientFailure where [.notFound, .notAFolder].contains(failure.code) {
            return nil
        } catch is Complaint {
            // No path on a server looks like that.
            return nil
        }
    }

    private func isAFolder(_ what: String) -> Complaint {
        Complaint(
            .isAFolder, "\(what) is a folder, and only pictures and videos can be attached.",
            remedy: "Attach each file with its own “--attach”.", status: .notThereOrInConflict)
    }

    private var nowhere: Complaint {
        let isAnywhere = typed.hasPrefix("/")
        return Complaint(
            .notThere,
            "“\(typed)” is not \(isAnywhere ? "on the server, and not on this machine" : "on this machine").",
            remedy: isAnywhere ? "Check the path." : "A path on the server begins with “/”.",
            status: .notThereOrInConflict)
    }

    /// Where it was taken from, as it was typed.
    func told(_ found: PostFile) -> String {
        switch found {
        case .there: "“\(typed)” is attached from the server."
        case .here: "“\(typed)” on this machine is uploaded to “/\(Self.folder)” on the server."
        }
    }
}
