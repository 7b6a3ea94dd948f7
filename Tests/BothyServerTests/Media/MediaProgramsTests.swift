import Foundation
import Testing

@testable import BothyServer

@Suite struct MediaProgramsTests {
    @Test func whatIsMissingIsNamedByItsPackage() {
        let none = MediaPrograms(in: [])
        #expect(none.missing.starts(with: ["libvips-tools", "ffmpeg", "poppler-utils"]))
        #expect(!none.draws(.picture) && !none.draws(.film) && !none.draws(.document))
        #expect(none.shrink("a", to: "b.webp", .low, in: "/") == nil && none.still(of: "a", to: "b", in: "/") == nil)
    }

    /// Without ffmpeg, pictures are drawn, and films are not.
    @Test func filmsNeedAProgramMore() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("vipsthumbnail"), withDestinationPath: "/bin/true")
        let programs = MediaPrograms(in: ["/nowhere", folder.file("")])
        #expect(programs.missing.starts(with: ["ffmpeg", "poppler-utils"]))
        #expect(programs.draws(.picture) && !programs.draws(.film))
    }

    private func program(
        _ script: String, in folder: TemporaryFolder, _ confinement: Confinement = .best(bubblewrap: nil)
    ) -> BoundedProgram {
        BoundedProgram(
            path: "/bin/sh", arguments: ["-c", "set -e; \(script)"], folder: folder.file(""), confinement: confinement)
    }

    /// By the kernel where it knows how, and by namespaces where the program for them is there and may.
    private static let confinements: [Confinement] = [
        .best(bubblewrap: nil), .bubblewrap("/usr/bin/bwrap"),
    ].filter { confinement in
        guard confinement != .none, let folder = try? TemporaryFolder() else { return false }
        let trial = BoundedProgram(
            path: "/bin/true", arguments: [], folder: folder.file(""), confinement: confinement)
        return withExtendedLifetime(folder) { trial.run(stop: -1) == .done }
    }

    @Test(arguments: confinements)
    func aProgramReachesNothingButItsFolder(_ confinement: Confinement) async throws {
        let (folder, other, threads) = (try TemporaryFolder(), try TemporaryFolder(), DrawingThreads(count: 1))
        try Data("secret".utf8).write(to: URL(fileURLWithPath: other.file("data")))
        let within = program(
            "echo here > written; cat written > again; exec /usr/bin/env true", in: folder, confinement)
        #expect(try await threads.run(within) == .done)
        for script in [
            "cat \(other.file("data"))", "cat /etc/passwd", "ls /root", "echo > \(other.file("new"))",
            "echo > /usr/share/bothy",
            "exec 3<>/dev/tcp/127.0.0.1/1", "cat /proc/\(getpid())/environ",
        ] {
            guard case .refused = try await threads.run(program(script, in: folder, confinement)) else {
                Issue.record("\(script) was done")
                continue
            }
        }
        // Some have a folder for temporary files of their own.
        _ = try await threads.run(program("mkdir /tmp/bothy-was-here", in: folder, confinement))
        #expect(!FileManager.default.fileExists(atPath: "/tmp/bothy-was-here"))
        try await threads.stop()
    }

    /// Whatever closes it in, it gains no rights.
    @Test func noProgramGainsRights() async throws {
        let (folder, threads) = (try TemporaryFolder(), DrawingThreads(count: 1))
        #expect(
            try await threads.run(program("grep -q 'NoNewPrivs:.*1' /proc/self/status", in: folder, .none)) == .done)
        try await threads.stop()
    }

    @Test func aProgramThatSaysNoIsToldApartFromOneThatIsBrokenOff() async throws {
        let (folder, threads) = (try TemporaryFolder(), DrawingThreads(count: 1))
        #expect(try await threads.run(program("true", in: folder)) == .done)
        #expect(
            try await threads.run(program("echo 'no picture' >&2; exit 3", in: folder))
                == .refused(status: 3, said: "no picture"))
        #expect(try await threads.run(program("kill -KILL $$", in: folder)) == .brokenOff("signal 9"))
        var missing = program("true", in: folder)
        missing.path = "/nowhere/sh"
        guard case .notTried = try await threads.run(missing) else { return #expect(Bool(false)) }
        try await threads.stop()
    }

    /// A program that asks for more than it may have ends without it.
    @Test(arguments: ["head -c 100000000 /dev/zero > written", "ulimit -v 4000000", "ulimit -n 999"])
    func noneIsDoneThatLeavesItsBounds(_ script: String) async throws {
        let (folder, threads) = (try TemporaryFolder(), DrawingThreads(count: 1))
        #expect(try await threads.run(program(script, in: folder)) != .done)
        try await threads.stop()
    }

    /// What a program leaves behind holds nobody up.
    @Test func whatGoesOnBehindAProgramIsNotWaitedFor() async throws {
        let (folder, threads) = (try TemporaryFolder(), DrawingThreads(count: 1))
        let script = "setsid sleep 600 & echo $! > left; sleep 600 & exit 1"
        guard case .refused = try await threads.run(program(script, in: folder)) else { return #expect(Bool(false)) }
        let left = try String(contentsOfFile: folder.file("left"), encoding: .utf8)
        if let process = pid_t(left.trimmingCharacters(in: .whitespacesAndNewlines)) { kill(process, SIGKILL) }
        try await threads.stop()
    }

    @Test func aServerThatStopsWaitsForNoProgram() async throws {
        let (folder, threads) = (try TemporaryFolder(), DrawingThreads(count: 1))
        let waiting = Task { try await threads.run(program("touch begun; sleep 600", in: folder)) }
        while !FileManager.default.fileExists(atPath: folder.file("begun")) { await Task.yield() }
        try await threads.stop()
        guard case .notTried = try await waiting.value else { return #expect(Bool(false)) }
    }

    @Test func aProgramKnowsItsFolderAndNothingElse() async throws {
        let (folder, threads) = (try TemporaryFolder(), DrawingThreads(count: 1))
        #expect(
            try await threads.run(program("env > told; cat > heard; ls /proc/self/fd > open", in: folder, .none))
                == .done)
        let told = try String(contentsOfFile: folder.file("told"), encoding: .utf8)
        let names = Set(told.split(separator: "\n").map { $0.prefix { $0 != "=" } })
        #expect(
            names.isSubset(of: ["VIPS_BLOCK_UNTRUSTED", "HOME", "TMPDIR", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_"]))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("heard"))).isEmpty)
        // Its three streams, and the list of them.
        let open = try String(contentsOfFile: folder.file("open"), encoding: .utf8)
        #expect(open.split(separator: "\n") == ["0", "1", "2", "3"])
        try await threads.stop()
    }
}
