import BothyContent
import BothyContract
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers that come compressed, and what may become of them on the way.
extension FakeServer {
    /// - Parameters:
    ///   - garbled: a bit flips in its middle.
    ///   - truncated: it ends before its frame does.
    static func packed(_ bytes: [UInt8], garbled: Bool, truncated: Bool) throws -> [UInt8] {
        var frames = try packed(bytes, isWhole: true)
        if garbled { frames[frames.count / 2] ^= 1 }
        if truncated { frames.removeLast(frames.count / 3) }
        return frames
    }

    /// A range as the real server compresses it.
    static func packedRange(
        _ part: [UInt8], _ headers: HTTPFields, _ fault: FakeDrive.Fault?, _ drive: FakeDrive
    ) async throws -> Response {
        var packed = [UInt8]()
        for start in stride(from: 0, to: part.count, by: InstanceManipulations.frameBytes) {
            packed += try pack(
                Array(part[start..<min(start + InstanceManipulations.frameBytes, part.count)]), isLast: true)
        }
        if case .garble? = fault { packed[packed.count / 2] ^= 1 }
        if case .truncate? = fault { packed.removeLast(packed.count / 3) }
        await drive.notePackedRange(packed.count)
        var headers = headers
        headers[HTTPField.Name(HeaderNames.manipulations)!] = InstanceManipulations.packedRange
        let status = HTTPResponse.Status(code: 226)
        var cut: Int?
        if case .cut? = fault { cut = packed.count / 2 }
        if let limit = await drive.cutAfter, packed.count > limit { cut = limit }
        if let cut {
            headers[.contentLength] = "\(packed.count)"
            return Response(status: status, headers: headers, body: .cut(Array(packed.prefix(cut)), packed.count))
        }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: packed)))
    }

    /// The connection ends behind what can be unpacked of it.
    static func cutPacked(_ bytes: [UInt8]) throws -> Response {
        let packed = try packed(bytes, isWhole: false)
        return Response(
            status: .ok,
            headers: [.contentEncoding: ContentCodings.zstd, .contentLength: "\(packed.count * 2)"],
            body: .cut(packed, packed.count * 2))
    }

    /// In frames of 4,000 bytes, of which the last one ends or does not.
    private static func packed(_ bytes: [UInt8], isWhole: Bool) throws -> [UInt8] {
        var packed = [UInt8]()
        for start in stride(from: 0, to: bytes.count, by: 4_000) {
            let end = min(start + 4_000, bytes.count)
            packed += try pack(Array(bytes[start..<end]), isLast: isWhole || end < bytes.count)
        }
        return packed
    }

    static func pack(_ bytes: [UInt8], isLast: Bool) throws -> [UInt8] {
        guard let packed = bytes.withUnsafeBytes({ ZstdPacker(level: 3)?.pack($0, isLast: isLast) }) else {
            throw Problem(.busy, "no memory")
        }
        return packed
    }
}

extension FakeDrive.BatchFault? {
    var isGarble: Bool { if case .garble = self { true } else { false } }
    var isTruncate: Bool { if case .truncate = self { true } else { false } }
}
