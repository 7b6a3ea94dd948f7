import BothyClient
import BothyContract

/// The arguments of `mv` and `cp`: sources, and last the target.
enum SourcesAndTarget {
    static func split(_ paths: [String]) throws(Complaint) -> (sources: [String], target: RemoteArgument) {
        guard paths.count > 1, let last = paths.last else {
            throw .usage("The target is missing.", remedy: "Give it last: a folder or a new name.")
        }
        return (Array(paths.dropLast()), try RemoteArgument(last))
    }

    /// - Throws: where a folder would go into itself, or into one that lies in it.
    static func refuseIntoItself(_ file: File, from source: RemotePath, to target: RemotePath) throws(Complaint) {
        guard file.isFolder, target.names.starts(with: source.names) else { return }
        throw .usage("“\(source)” cannot be put into itself.", remedy: "Choose another place.")
    }

    /// - Throws: where it is the root that is named.
    /// - Parameter done: the end of «cannot be …».
    static func refuseRoot(_ path: RemotePath, _ done: String) throws(Complaint) {
        guard path.isRoot else { return }
        throw .usage("“/” cannot be \(done).", remedy: "Name its content instead.")
    }

    static func taken(_ path: RemotePath) -> Complaint {
        Complaint(
            .exists, "“\(path)” already exists.", remedy: "Choose another name, or move the existing file away first.",
            status: .notThereOrInConflict)
    }
}
