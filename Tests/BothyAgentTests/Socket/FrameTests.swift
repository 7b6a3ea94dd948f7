@testable import BothyAgent
import NIOCore
import Testing

@Suite struct FrameTests {
    @Test(arguments: [1, 2, 3, 5, 8, 100]) func framesComeWholeInWhateverPieces(_ size: Int) throws {
        let hello = AgentHello(version: AgentVersion(release: "1.0.0", build: 5), pid: 7)
        var all = ByteBuffer()
        for _ in 0..<3 { all.writeImmutableBuffer(try AgentWire.frame(hello)) }
        var seen = [AgentHello]()
        var arrived = ByteBuffer()
        while let piece = all.readSlice(length: min(size, all.readableBytes)), piece.readableBytes > 0 {
            arrived.writeImmutableBuffer(piece)
            while let frame = try FrameDecoder.next(in: &arrived) {
                seen.append(try AgentWire.read(AgentHello.self, from: frame))
            }
        }
        #expect(seen == [hello, hello, hello])
    }

    @Test func aFrameThatIsTooLongIsRefusedBeforeItComes() {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(AgentWire.longestFrame + 1))
        #expect(throws: FrameDecoder.TooLong.self) { _ = try FrameDecoder.next(in: &buffer) }
    }

    @Test func aHelloOfAnotherTimeIsRead() throws {
        let text = #"{"language":9,"version":{"release":"7.0.0","build":3,"codename":"x"},"pid":4,"more":[1]}"#
        let hello = try AgentWire.read(AgentHello.self, from: ByteBuffer(string: text))
        #expect(hello.language == 9 && hello.version.release == "7.0.0")
    }
}
