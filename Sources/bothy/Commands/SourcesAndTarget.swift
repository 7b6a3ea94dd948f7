import BothyClient

/// The arguments of `mv` and `cp`: sources, and last the target.
enum SourcesAndTarget {
    static func split(_ paths: [String]) throws(Complaint) -> (sources: [String], target: RemoteArgument) {
        guard paths.count > 1, let last = paths.last else {
            throw .usage("A target is missing.", remedy: "Say where to, last: a folder or a new name.")
        }
        return (Array(paths.dropLast()), try RemoteArgument(last))
    }

    static func taken(_ path: RemotePath) -> Complaint {
        Complaint(
            .exists, "“\(path)” is there already.", remedy: "Choose another name, or move what is there away first.",
            status: .notThereOrInConflict)
    }
}
