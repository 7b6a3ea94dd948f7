import BothyAgent
import BothyClient
import Foundation

/// The room that is left on the disk of a home.
struct HomeRoom {
    let directory: String
    /// Bytes; nil where it cannot be found out.
    let free: Int64?

    init(directory: String, free: Int64?) {
        self.directory = directory
        self.free = free
    }

    /// As it is now.
    init(of directory: String) {
        var volume = statvfs()
        let isKnown = statvfs(directory, &volume) == 0
        self.init(
            directory: directory,
            free: isKnown ? Int64(clamping: UInt64(volume.f_bavail) &* UInt64(volume.f_frsize)) : nil)
    }

    /// As `bothy doctor` tells it.
    var finding: Finding {
        guard let free else {
            return Finding("disk", .doubtful, "The free space on the disk of “\(directory)” cannot be determined.")
        }
        return Judgement.room(free, of: directory)
    }

    /// As `bothy status` tells it; nil where there is room enough for work to go on.
    var line: AgentStatusLine? {
        let finding = finding
        guard finding.verdict == .bad else { return nil }
        return AgentStatusLine(
            "disk", .held, finding.message, reason: FailureCode.diskFull.rawValue, remedy: finding.remedy)
    }
}
