import CShims
import Foundation

/// A program that is given what strangers have made: it may take so much of the machine and no more, and a fault of it is no
/// fault of the server's.
struct BoundedProgram: Sendable {
    /// Bytes that it can address.
    private static let mostMemory = 2 << 30
    /// Bytes of each file that it may write.
    private static let mostWritten = 64 << 20
    /// Seconds of a core that it may use.
    private static let mostWork = 30
    /// Milliseconds after which it is ended, whatever it waits for.
    private static let mostTime: Int32 = 60_000
    /// What `prlimit` says where it finds no program, or may not run it.
    private static let notStarted: Set<Int32> = [126, 127]
    /// Bytes of what it says that are told.
    private static let mostSaid = 200

    var path: String
    var arguments: [String]
    /// Where it works, and all that it is told of the machine.
    var folder: String
    /// What sets the bounds: util-linux.
    var prlimit: String

    /// The bounds, and then the program.
    var command: [String] {
        [
            prlimit, "--as=\(Self.mostMemory)", "--fsize=\(Self.mostWritten)", "--cpu=\(Self.mostWork)", "--nofile=64",
            "--core=0", "--", path,
        ] + arguments
    }

    enum Ending: Equatable, Sendable {
        case done
        /// It says itself that it cannot do it.
        case refused(status: Int32, said: String)
        /// It did not come to its end: that may be the machine's fault, and not that of what it was given.
        case brokenOff(String)
    }

    /// Runs until it ends, on a thread that it keeps until then.
    ///
    /// - Parameter stop: ends it as soon as something can be read from it.
    func run(stop: Int32) -> Ending {
        // libvips then refuses what its own makers call untrusted.
        let environment = ["VIPS_BLOCK_UNTRUSTED=1", "HOME=\(folder)", "TMPDIR=\(folder)", "LC_ALL=C"]
        var status: Int32 = 0
        let ending = Self.withCStrings(command) { arguments in
            Self.withCStrings(environment) { environment in
                bothy_run_bounded(command[0], arguments, environment, folder, Self.mostTime, stop, &status)
            }
        }
        switch ending {
        case bothy_ended where status == 0: return .done
        case bothy_ended where Self.notStarted.contains(status): return .brokenOff("it could not be started: \(said)")
        case bothy_ended: return .refused(status: status, said: said)
        case bothy_killed: return .brokenOff("signal \(status)")
        case bothy_stopped: return .brokenOff("it took too long, or the server stops")
        default: return .brokenOff("it could not be started: \(String(cString: strerror(status)))")
        }
    }

    private var said: String {
        let said = FileManager.default.contents(atPath: "\(folder)/said")?.prefix(Self.mostSaid) ?? Data()
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }
}
