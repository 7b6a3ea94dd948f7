import CShims
import Foundation

/// What keeps a program that draws from everything but its libraries and what it works on.
enum Confinement: Equatable, Sendable {
    /// The kernel: Landlock for files, seccomp for sockets and the memory of others.
    case kernel
    /// Namespaces, by the program `bubblewrap` at this path.
    case bubblewrap(String)
    /// Bounds alone: neither is there.
    case none

    /// What the programs' libraries, fonts and colour profiles lie below.
    private static let system = [
        "/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/fonts", "/etc/alternatives",
        "/var/cache/fontconfig",
        "/nix/store",
    ]

    /// The best that this machine has.
    ///
    /// - Parameter bubblewrap: where that program lies.
    static func best(bubblewrap: String?) -> Confinement {
        if bothy_landlock_version() > 0 { return .kernel }
        guard let bubblewrap, works(bubblewrap) else { return .none }
        return .bubblewrap(bubblewrap)
    }

    /// Many machines have the program and forbid what it does.
    private static func works(_ bubblewrap: String) -> Bool {
        let folder = "\(NSTemporaryDirectory())/\(UUID().uuidString)"
        // What cannot be tried is not relied on.
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else { return false }
        defer {
            // It has a few bytes, and lies where what is left is cleared away.
            try? FileManager.default.removeItem(atPath: folder)
        }
        let trial = BoundedProgram(
            path: "/bin/true", arguments: [], folder: folder, confinement: .bubblewrap(bubblewrap))
        return trial.run(stop: -1) == .done
    }

    var isByKernel: Bool { self == .kernel }

    /// Below these a program may read, and run what it finds.
    func readable(_ program: String) -> [String] {
        // It may be called by a link.
        Self.system + [program, (program as NSString).resolvingSymlinksInPath]
    }

    func command(_ program: String, _ arguments: [String], in folder: String) -> [String] {
        guard case .bubblewrap(let bubblewrap) = self else { return [program] + arguments }
        let bound = readable(program).flatMap { ["--ro-bind-try", $0, $0] }
        return [bubblewrap, "--unshare-all", "--die-with-parent", "--dev", "/dev"] + bound
            + ["--bind", folder, folder, "--chdir", folder, "--", program] + arguments
    }
}
