import BothyClient
import Foundation

/// The folder in a home where its agent listens, held open: what is checked is what is used.
package final class AgentPlace: Sendable {
    package let home: String
    private let descriptor: Int32

    /// Makes the folder where it is missing.
    ///
    /// - Throws: `homeUnusable` for one that is not this person's alone.
    package static func make(in home: String) throws(ClientFailure) -> AgentPlace {
        do {
            try FileManager.default.createDirectory(
                atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ClientFailure(.homeUnusable, "The home “\(home)” cannot be created: \(error.localizedDescription)")
        }
        // Private from its first moment: another command that begins now must not find it open to others.
        guard mkdir(AgentSocketPath.folder(of: home), 0o700) == 0 || errno == EEXIST else {
            throw ClientFailure(errno: errno, path: AgentSocketPath.folder(of: home), doing: "be made")
        }
        guard let place = try find(in: home) else {
            throw ClientFailure(errno: ENOENT, path: home, doing: "be opened")
        }
        return place
    }

    /// - Returns: nil where there was never an agent.
    package static func find(in home: String) throws(ClientFailure) -> AgentPlace? {
        let folder = AgentSocketPath.folder(of: home)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ENOTDIR || errno == ELOOP {
                throw ClientFailure(
                    .homeUnusable, "“\(folder)” is not a regular folder.",
                    remedy: "Check what it is, and move it away.")
            }
            throw ClientFailure(errno: errno, path: folder, doing: "be opened")
        }
        let place = AgentPlace(home: home, descriptor: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ClientFailure(errno: errno, path: folder, doing: "be read") }
        guard status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            throw ClientFailure(
                .homeUnusable, "Others can access “\(folder)”, so the agent's socket there cannot be trusted.",
                remedy: "Run “chmod 700 \(folder)”, and check who owns it.")
        }
        return place
    }

    private init(home: String, descriptor: Int32) {
        self.home = home
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    package var folder: String { AgentSocketPath.folder(of: home) }
    package var lockPath: String { "\(folder)/lock" }
    package var holderPath: String { "\(folder)/holder.json" }
    package var startingLockPath: String { "\(folder)/starting" }
    package var logPath: String { "\(folder)/log" }
    package var socketPath: String { AgentSocketPath.inside(home) }

    /// The socket by a name that the system takes: through this folder's descriptor where the home lies too deep.
    package var reachableSocketPath: String {
        let path = socketPath
        #if os(Linux)
            if path.utf8.count > AgentSocketPath.longest { return "/proc/self/fd/\(descriptor)/socket" }
        #endif
        return path
    }

    /// Whether the folder is still where the home says.
    package var isStillThere: Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(folder, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }
}
