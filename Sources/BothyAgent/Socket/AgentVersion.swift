import BothyContract
import Foundation

/// Which Bothy a process is: what tells an agent that is older than the command that talks to it.
package struct AgentVersion: Codable, Hashable, Comparable, Sendable {
    /// As `Release.version`.
    package var release: String
    /// When the program's file was written, in milliseconds since 1970: tells builds of one release apart.
    package var build: Int64

    package init(release: String, build: Int64) {
        self.release = release
        self.build = build
    }

    /// This process's, read at its start: afterwards the file may be another one.
    package static func ofThisProcess() -> AgentVersion {
        var status = stat()
        #if os(Linux)
            let found = stat("/proc/self/exe", &status) == 0
            let build = found ? Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000 : 0
        #else
            let found = stat(CommandLine.arguments[0], &status) == 0
            let build = found ? Int64(status.st_mtimespec.tv_sec) * 1000 : 0
        #endif
        return AgentVersion(release: Release.version, build: build)
    }

    package static func < (left: Self, right: Self) -> Bool {
        let (leftParts, rightParts) = (numbers(left.release), numbers(right.release))
        return leftParts == rightParts ? left.build < right.build : leftParts.lexicographicallyPrecedes(rightParts)
    }

    private static func numbers(_ release: String) -> [Int] {
        release.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) ?? 0 }
    }
}
