import Foundation

/// A way to a D-Bus, the session's or the system's: one who asks, waits, and lets go. It blocks its thread, for twice
/// ``patience`` at most.
final class MessageBus {
    struct Unreachable: Error, Equatable {
        var why: String
        /// There is no bus, or nobody on it who has the name that was asked for.
        var isNobodyThere = false
    }

    /// Seconds that one step may take, and all of them together.
    private static let patience = 2
    /// Errors of the bus for a name that nobody has (D-Bus specification, «Message Bus Messages»).
    private static let namesOfNobody: Set = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]
    /// Messages for others, and signals, that are passed over while an answer is waited for.
    private static let mostOthers = 100
    /// Bytes of an answer to the greeting.
    private static let longestLine = 512

    private let descriptor: Int32
    private let deadline = ContinuousClock.now + .seconds(patience)
    private var serial: UInt32 = 0

    /// - Parameter address: as `DBUS_SESSION_BUS_ADDRESS` and `DBUS_SYSTEM_BUS_ADDRESS` have it.
    /// - Throws: `Unreachable`.
    init(address: String) throws {
        descriptor = try Self.connected(address)
        do {
            try greet()
            _ = try call(
                BusMessage(
                    "Hello", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
                    for: "org.freedesktop.DBus"))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Where the session's bus is; nil where there is none.
    static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let runtime = environment["XDG_RUNTIME_DIR"], access("\(runtime)/bus", F_OK) == 0 else {
            return nil
        }
        return "unix:path=\(runtime)/bus"
    }

    /// Where the system's bus is (D-Bus specification, «System message bus»); nil where there is none.
    static func systemAddress(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return address }
        let path = "/run/dbus/system_bus_socket"
        return access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
    }

    func end() { close(descriptor) }

    /// Calls a method, and waits for its answer.
    ///
    /// - Throws: `Unreachable`, with the bus's own word where it refuses.
    func call(_ message: BusMessage) throws -> BusMessage {
        serial += 1
        var message = message
        message.serial = serial
        try write(message.bytes)
        for _ in 0..<Self.mostOthers {
            let answer = try read()
            guard answer.answers == serial else { continue }
            guard answer.kind != .failure else {
                let name = answer.failureName ?? "refused"
                throw Unreachable(why: name, isNobodyThere: Self.namesOfNobody.contains(name))
            }
            return answer
        }
        throw Unreachable(why: "no answer")
    }

    // MARK: - Connecting

    private static func connected(_ addresses: String) throws -> Int32 {
        for address in addresses.split(separator: ";") {
            guard let name = socketName(String(address)) else { continue }
            let descriptor = socket(
                AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { break }
            var limit = timeval(tv_sec: patience, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            if connect(descriptor, to: name) { return descriptor }
            close(descriptor)
        }
        throw Unreachable(why: "nobody listens", isNobodyThere: true)
    }

    /// The bytes of `sun_path`: an abstract name begins with a zero byte. nil for a way that this does not know.
    static func socketName(_ address: String) -> [UInt8]? {
        guard address.hasPrefix("unix:") else { return nil }
        for pair in address.dropFirst("unix:".count).split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = parts[1].removingPercentEncoding else { continue }
            if parts[0] == "path" { return Array(value.utf8) }
            if parts[0] == "abstract" { return [0] + Array(value.utf8) }
        }
        return nil
    }

    private static func connect(_ descriptor: Int32, to name: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // An abstract name ends where the address does; a path, with its zero byte.
        let isAbstract = name.first == 0
        let size = MemoryLayout<sockaddr_un>.size - room + name.count + (isAbstract ? 0 : 1)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(size)) == 0
            }
        }
    }

    /// Who this is, as the kernel knows too: «EXTERNAL» (specification, «Authentication Protocol»).
    private func greet() throws {
        let user = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
        try write([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
        var line = [UInt8]()
        while line.last != UInt8(ascii: "\n"), line.count < Self.longestLine { line += try read(1) }
        guard line.starts(with: Array("OK ".utf8)) else { throw Unreachable(why: "access denied") }
        try write(Array("BEGIN\r\n".utf8))
    }

    // MARK: - Bytes

    private func write(_ bytes: [UInt8]) throws {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Unreachable(why: "it takes nothing") }
            place += count
        }
    }

    private func read() throws -> BusMessage {
        let prefix = try read(BusMessage.prefixSize)
        guard let rest = BusMessage.rest(after: prefix),
            let message = BusMessage(prefix + (try read(rest)))
        else {
            throw Unreachable(why: "it answers in an unknown way")
        }
        return message
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var place = 0
        while place < count {
            guard .now < deadline else { throw Unreachable(why: "it takes too long") }
            let taken = bytes[place...].withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            guard taken > 0 else { throw Unreachable(why: "it does not answer") }
            place += taken
        }
        return bytes
    }
}
