import Foundation
import NIOCore
import NIOExtras

/// Lines of JSON on a socket. Each is bounded, so that neither side is made to remember more.
enum AdminWire {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Bytes of a line.
    static let longestLine = 64 << 10

    /// The socket's path is reached through the folder's descriptor: a socket's name has room for 107 bytes, and a data
    /// folder may lie deeper.
    struct Place: Sendable {
        let descriptor: Int32
        let path: String

        init(_ folder: DataFolder) throws {
            descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw ServerFault(
                    .folder, "The data folder \(folder.path) cannot be opened: \(String(cString: strerror(errno))).")
            }
            path = "/proc/self/fd/\(descriptor)/\(folder.adminSocketName)"
        }

        func close() { _ = Foundation.close(descriptor) }
    }

    /// Its owner's alone from its first moment: on Linux a socket's name gets the mode that the socket has when it is bound.
    static func bind(_ place: Place) throws -> CInt {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place.path.utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                fchmod(descriptor, 0o600) == 0
                    && Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else {
            let failure = IOError(errnoCode: errno, reason: "bind")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    static func configure(_ channel: any Channel) throws -> Connection {
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineBasedFrameDecoder()))
        return try Connection(wrappingChannelSynchronously: channel)
    }

    static func encode(_ value: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(bytes: try JSONEncoder().encode(value))
        buffer.writeInteger(UInt8(ascii: "\n"))
        return buffer
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from buffer: ByteBuffer) throws -> Value {
        try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
    }
}
