import BothyClient
import BothyContract
import Foundation
import NIOCore
import NIOPosix

/// JSON in frames: four bytes that say how long, the highest first, then so many bytes.
enum AgentWire {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Bytes of a frame: a status with a thousand lines is far below.
    static let longestFrame = 1 << 20

    static func frame(_ value: some Encodable) throws -> ByteBuffer {
        let body = try WireCoding.encode(value)
        guard body.count <= longestFrame else {
            throw ClientFailure(.agentFailed, "The agent's message is too large (\(body.count) bytes).")
        }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(4 + body.count)
        buffer.writeInteger(UInt32(body.count))
        buffer.writeBytes(body)
        return buffer
    }

    static func read<Value: Decodable>(_ type: Value.Type, from frame: ByteBuffer) throws -> Value {
        try WireCoding.decode(type, from: Data(frame.readableBytesView))
    }

    static func configure(_ channel: any Channel) throws -> Connection {
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(FrameDecoder()))
        return try Connection(wrappingChannelSynchronously: channel)
    }
}

/// Cuts what comes into frames.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    struct TooLong: Error {}

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let frame = try Self.next(in: &buffer) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(frame))
        return .continue
    }

    /// What is no whole frame when the line ends was never said.
    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        try decode(context: context, buffer: &buffer)
    }

    /// - Returns: nil while the frame is not all there.
    static func next(in buffer: inout ByteBuffer) throws -> ByteBuffer? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        guard length <= AgentWire.longestFrame else { throw TooLong() }
        guard buffer.readableBytes >= 4 + Int(length) else { return nil }
        buffer.moveReaderIndex(forwardBy: 4)
        return buffer.readSlice(length: Int(length))
    }
}
