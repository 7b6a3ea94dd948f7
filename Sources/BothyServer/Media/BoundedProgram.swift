import CShims
import Foundation

/// A program that is given what strangers have made: it may take so much of the machine and no more, it sees what it works on and no other file,
/// and a fault of it is no fault of the server's.
struct BoundedProgram: Sendable {
    /// What it may take.
    struct Bounds: Equatable, Sendable {
        /// Bytes that it can address.
        var memory: UInt64 = 2 << 30
        /// Bytes of each file that it may write.
        var written: UInt64 = 64 << 20
        /// Seconds of a core that it may use.
        var work: UInt64 = 30
        /// Milliseconds after which it is ended, whatever it waits for.
        var time: Int32 = 60_000
        /// How much it gives way to others.
        var niceness: Int32 = 5

        /// One picture.
        static let picture = Bounds()
    }

    /// Bytes of what it says that are told.
    private static let mostSaid = 200

    var path: String
    var arguments: [String]
    /// Where it works, and all that it is told of the machine.
    var folder: String
    var bounds = Bounds.picture
    /// What closes it in.
    var confinement: Confinement

    enum Ending: Equatable, Sendable {
        case done
        /// It says itself that it cannot do it.
        case refused(status: Int32, said: String)
        /// It did not come to its end by itself: what it was given killed it, or took too much.
        case brokenOff(String)
        /// It could not begin, or the server stops: nothing is said of what it was given.
        case notTried(String)
    }

    /// What is run: itself, or what closes it in.
    var command: [String] { confinement.command(path, arguments, in: folder) }

    /// Runs until it ends, on a thread that it keeps until then.
    ///
    /// - Parameters:
    ///   - stop: ends it as soon as something can be read from it.
    ///   - isStopping: whether that is so.
    func run(stop: Int32, isStopping: () -> Bool = { false }) -> Ending {
        // libvips then refuses what its own makers call untrusted.
        let environment = ["VIPS_BLOCK_UNTRUSTED=1", "HOME=\(folder)", "TMPDIR=\(folder)", "LC_ALL=C"]
        let command = command
        var status: Int32 = 0
        let ending = Self.withCStrings(command) { arguments in
            Self.withCStrings(environment) { environment in
                Self.withCStrings(confinement.readable(path)) { readable in
                    readable.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: 1) { readable in
                        var bounds = bothy_bounds(
                            memory: bounds.memory, written: bounds.written, work: bounds.work,
                            niceness: bounds.niceness,
                            is_closed: confinement.isByKernel ? 1 : 0, readable: readable)
                        return bothy_run_bounded(
                            command[0], arguments, environment, folder, &bounds, self.bounds.time, stop, &status)
                    }
                }
            }
        }
        switch ending {
        case bothy_ended where status == 0: return .done
        case bothy_ended: return .refused(status: status, said: said)
        case bothy_killed: return .brokenOff("signal \(status)")
        case bothy_stopped: return isStopping() ? .notTried("the server stops") : .brokenOff("it took too long")
        default: return .notTried("it could not be started: \(String(cString: strerror(status)))")
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
