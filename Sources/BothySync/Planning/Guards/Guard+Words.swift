/// What a guard tells a person.
extension Guard.Sighting {
    /// What happened, as a sentence without its end.
    package var words: String {
        switch self {
        case .manyDeletions:
            let told = tallies.map(Self.told).joined(separator: ", and ")
            let rules = tallies.map { Guard.rule($0.tally) }
            return "\(told). Bothy asks " + (Set(rules).count == 1 ? rules[0] : rules.joined(separator: ", and "))
        case .rootVanished: return "the folder does not exist"
        case .rootUnmounted: return "the folder is on another disk than before; its own disk may not be mounted"
        case .rootReplaced: return "another folder is in its place"
        case .rootEmptied: return "the folder is empty, and was not before"
        case .remoteRootLost: return "the folder on the server no longer exists"
        case .linkTakenBack: return "you undid the linking of the two folders"
        }
    }

    /// What to do now, as a sentence without its end, in which DIR stands for the folder, and REMOTE for the one on the server.
    package var remedy: String {
        switch self {
        case .manyDeletions: Self.asked(lists: "them") + tallies.map(Self.back).joined(separator: ". ")
        case .rootEmptied: Self.asked(lists: "what would be deleted") + Self.backHere
        case .rootVanished:
            "put the folder back. Moved? “bothy sync NEW REMOTE --confirm” syncs it in its new place. No longer wanted? "
                + "“bothy unsync DIR”"
        case .rootUnmounted: "mount its disk; if the new disk is intended, “bothy unsync DIR” and sync it again"
        case .rootReplaced:
            "if it is the right one, “bothy sync DIR --confirm” links it again without deleting anything"
        case .remoteRootLost:
            "restore it: “bothy trash” lists it by its last name, and “bothy trash put-back NAME” restores it; "
                + "or create it again from here with “bothy sync DIR --confirm”"
        case .linkTakenBack:
            "“bothy sync DIR --confirm” links them again; “bothy unsync DIR” leaves both as they are"
        }
    }

    /// What would go on each side that it is about.
    private var tallies: [(side: Guard.Direction, tally: Guard.Tally)] {
        sides.compactMap { if case .manyDeletions(let side, let tally, _) = $0 { (side, tally) } else { nil } }
    }

    private static func told(_ side: Guard.Direction, _ tally: Guard.Tally) -> String {
        let lately = tally.lately == 0 ? "" : " (\(tally.lately) more in the last 24 hours)"
        let files = tally.overwritten == 1 ? "1 file" : "\(tally.overwritten) files"
        let place = side == .here ? "here" : "on the server"
        let overwritten = "\(files) that changed on both sides would be overwritten \(place)"
        let from = side == .here ? "from this folder" : "on the server"
        let deleted = "\(tally.deletions) of \(tally.known) files and folders would be deleted \(from)"
        let ofKnown = tally.deletions == 0 ? " of \(tally.known)" : ""
        let emptied = "\(tally.emptied)\(ofKnown) files would be emptied \(place)"
        let told = [
            tally.deletions > 0 ? deleted : nil, tally.emptied > 0 ? emptied : nil,
            tally.overwritten > 0 ? overwritten : nil,
        ]
        return told.compactMap(\.self).joined(separator: ", and ") + lately
    }

    /// - Parameter lists: what a dry run lists.
    private static func asked(lists: String) -> String {
        "intended: run “bothy sync DIR --confirm” (“bothy sync DIR --dry-run” lists \(lists)). Not intended: "
    }

    /// How what was not meant to go comes back. It is there still on the side where it would go.
    private static func back(_ side: Guard.Direction, _ tally: Guard.Tally) -> String {
        if tally.losses == 0 { return "“bothy sync DIR --conflicts fork” keeps both of each" }
        return side == .onTheServer
            ? backHere
            : "on the device that deleted or emptied them, “bothy log” shows the pass and “bothy undo NUMBER” restores them; "
                + "“bothy trash put-back NAME” restores a single one, on any device"
    }

    private static let backHere =
        "“bothy sync DIR --bring-back” restores all of them, “bothy get REMOTE/NAME DIR” only NAME and its content"
}
