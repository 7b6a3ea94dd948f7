import BothyContract
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Synchronization
import Testing

@testable import BothyServer

/// One connection, with time that the test moves.
@Suite struct ConnectionGuardTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private static let timeout = TimeAmount.seconds(60)

    private let lines = Lines()

    private func channel(in room: ConnectionRoom? = nil) throws -> EmbeddedChannel {
        let logger = Logger(label: "test") { [lines] label in
            StreamLog(label: label, level: .info, format: .text) { line, _ in lines.all.withLock { $0.append(line) } }
        }
        let room = room ?? ConnectionRoom(OpenConnections.Bounds(all: 100), trustedProxies: [], logger: logger)
        let channel = EmbeddedChannel(handler: ConnectionGuard(timeout: Self.timeout, room: room, logger: logger))
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func head(_ headers: HTTPFields = [:]) -> HTTPRequestPart {
        .head(HTTPRequest(method: .put, scheme: "http", authority: "a", path: "/", headerFields: headers))
    }

    /// The status, and the problem's code, of what was answered.
    private func answer(_ channel: EmbeddedChannel) throws -> (status: Int, code: ProblemCode?)? {
        guard case .head(let head) = try channel.readOutbound(as: HTTPResponsePart.self),
            case .body(let body) = try channel.readOutbound(as: HTTPResponsePart.self)
        else { return nil }
        let problem = try WireCoding.decode(Problem.self, from: Data(body.readableBytesView))
        #expect(head.headerFields[.contentType] == Problem.mediaType)
        return (head.status.code, problem.code.known)
    }

    @Test func headersThatAreTooLargeAreNamed() throws {
        let channel = try channel()
        channel.pipeline.fireErrorCaught(HTTPParserError.headerOverflow)
        channel.embeddedEventLoop.run()
        let answer = try #require(try answer(channel))
        #expect(answer == (431, .headersTooLarge))
        #expect(!channel.isActive)
        let logged = lines.all.withLock { $0 }
        #expect(logged.count == 1 && logged[0].contains("code=headers_too_large status=431"), "its owner sees it")
    }

    @Test func whatIsNotHTTPIsToldSo() throws {
        let channel = try channel()
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        channel.embeddedEventLoop.run()
        let answer = try #require(try answer(channel))
        #expect(answer == (400, .malformedRequest))
        #expect(!channel.isActive)
    }

    @Test func aBodyThatIsCutIsNotTakenForAWholeOne() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidEOFState)
        #expect(throws: HTTPParserError.invalidEOFState) { try channel.throwIfErrorCaught() }
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .created)), promise: nil)
        channel.embeddedEventLoop.run()
        let answer = try #require(try answer(channel))
        #expect(answer == (400, .lengthMismatch))
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) != nil, "the end of it")
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil, "and nothing more")
    }

    /// A parser may stumble over what came, and again over its end.
    @Test func whatIsMetTwiceIsAnsweredOnce() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidChunkSize)
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidEOFState)
        channel.embeddedEventLoop.run()
        let answer = try #require(try answer(channel))
        #expect(answer == (400, .malformedRequest))
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) != nil, "the end of it")
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil, "and nothing more")
    }

    /// A route may refuse a request by its head.
    @Test func whatWasAnsweredBeforeItsBodyWasThereIsAnsweredOnce() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .badRequest)), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        _ = try (channel.readOutbound(as: HTTPResponsePart.self), channel.readOutbound(as: HTTPResponsePart.self))
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidEOFState)
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil, "nothing comes after it")
        #expect(!channel.isActive)
    }

    @Test func anAnswerUnderWayIsNotWrittenInto() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeInbound(head())
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
        #expect(!channel.isActive)
    }

    @Test func nonsenseDuringADownloadDoesNotGetIntoIt() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) != nil)
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
        #expect(!channel.isActive)
    }

    @Test func aBodyOfAByteASecondEndsWithItsTime() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        for _ in 0..<200 where channel.isActive {
            channel.read()
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            if channel.isActive {
                channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(string: "x")))
            }
        }
        let answer = try #require(try answer(channel))
        #expect(answer == (408, .requestTimeout))
        #expect(!channel.isActive)
    }

    @Test func aSteadyBodyMayTakeAllDay() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        for _ in 0..<5_000 {
            channel.read()
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 2_000)))
        }
        #expect(channel.isActive)
    }

    @Test func whoWaitsToBeAskedIsAsked() throws {
        let channel = try channel()
        try channel.writeInbound(head([.expect: "100-continue"]))
        guard case .head(let head) = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("nothing was said")
            return
        }
        #expect(head.status == .continue)
    }

    @Test func whoWaitsBehindAnAnswerIsAskedOnceThatHasBeenWritten() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeOutbound(HTTPResponsePart.head(.init(status: .ok)))
        try channel.writeInbound(head([.expect: "100-continue"]))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        var said = [HTTPResponsePart]()
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) { said.append(part) }
        #expect(said == [.head(.init(status: .ok)), .end(nil), .head(.init(status: .continue))])
    }

    // MARK: Who gives way

    private func smallRoom() -> ConnectionRoom {
        ConnectionRoom(
            OpenConnections.Bounds(all: 2), trustedProxies: [],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func answerAll(_ channel: EmbeddedChannel) throws {
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        channel.embeddedEventLoop.run()
    }

    @Test func theLongestIdleConnectionClosesForANewOne() throws {
        let room = smallRoom()
        let (first, second) = (try channel(in: room), try channel(in: room))
        try first.writeInbound(head())
        try first.writeInbound(HTTPRequestPart.end(nil))
        try answerAll(first)
        let third = try channel(in: room)
        for channel in [first, second, third] { channel.embeddedEventLoop.run() }
        #expect(first.isActive && !second.isActive && third.isActive, "the second never said anything")
    }

    @Test func nobodyLosesAnAnswerToANewConnection() throws {
        let room = smallRoom()
        let (first, second) = (try channel(in: room), try channel(in: room))
        for channel in [first, second] { try channel.writeInbound(head()) }
        #expect(!room.admits {})
        let third = try channel(in: room)
        for channel in [first, second, third] { channel.embeddedEventLoop.run() }
        #expect(first.isActive && second.isActive && third.isActive)
    }

    /// It was told to close in the moment in which a request came.
    @Test func aRequestThatCameJustBeforeIsAnsweredFirst() throws {
        let room = smallRoom()
        let (first, second) = (try channel(in: room), try channel(in: room))
        let third = try channel(in: room)
        try first.writeInbound(head())
        try first.writeInbound(HTTPRequestPart.end(nil))
        first.embeddedEventLoop.run()
        #expect(first.isActive, "it has a request to answer")
        try answerAll(first)
        #expect(!first.isActive && second.isActive && third.isActive)
    }

    @Test func whoWaitsForAPlaceIsLetInWhenSomebodyRests() throws {
        let room = smallRoom()
        let (first, second) = (try channel(in: room), try channel(in: room))
        for channel in [first, second] { try channel.writeInbound(head()) }
        let letIn = Mutex(0)
        #expect(!room.admits { letIn.withLock { $0 += 1 } })
        try first.writeInbound(HTTPRequestPart.end(nil))
        #expect(letIn.withLock { $0 } == 0)
        try answerAll(first)
        #expect(letIn.withLock { $0 } == 1 && room.admits {})
        _ = second
    }

    // MARK: What is sent after the answer

    private func refused() throws -> EmbeddedChannel {
        let channel = try channel()
        try channel.writeInbound(head())
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        channel.embeddedEventLoop.run()
        return channel
    }

    @Test func aRefusedBodyOfAnOrdinarySizeIsHeardOut() throws {
        let channel = try refused()
        for _ in 0..<64 {
            channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 1 << 20)))
        }
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeInbound(head())
        #expect(channel.isActive, "and the connection goes on")
    }

    @Test func aRefusedBodyThatNeverEndsEndsTheConnection() throws {
        let channel = try refused()
        for _ in 0..<65 {
            channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 1 << 20)))
        }
        #expect(!channel.isActive)
    }

    /// Fast enough not to be stalled, and so for all eternity.
    @Test func aRefusedBodyThatTakesItsTimeEndsWithTheTimeout() throws {
        let channel = try refused()
        var seconds = 0
        while channel.isActive, seconds < 600 {
            channel.read()
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            seconds += 1
            if channel.isActive {
                channel.pipeline.fireChannelRead(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 1 << 10)))
            }
        }
        #expect((60...90).contains(seconds), "\(seconds)")
    }

    @Test func whoIsToldThatTheConnectionClosesSeesItClose() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        channel.write(
            HTTPResponsePart.head(HTTPResponse(status: .contentTooLarge, headerFields: [.connection: "close"])),
            promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        channel.embeddedEventLoop.run()
        #expect(channel.isActive, "its body is still coming")
        try channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(!channel.isActive)
    }

    @Test func aClientThatTakesNothingOfItsAnswerIsLeft() throws {
        let channel = try channel()
        try channel.writeInbound(head())
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(!channel.isActive)
    }
}
