import BothyContract
import BothyServer
import NIOCore
import Testing

/// Parsers of what strangers send: whatever the bytes, an answer or a problem, never a crash.
@Suite struct UploadParserTests {
    private func spoiled(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...6) {
            let place = Int.random(in: 0...bytes.count)
            switch Int.random(in: 0..<4) {
            case 0 where place < bytes.count: bytes.remove(at: place)
            case 1: bytes.insert([0, 10, 13, 34, 45, 58, 59, 255].randomElement()!, at: place)
            case 2: bytes = Array(bytes.prefix(place))
            default: bytes.insert(contentsOf: bytes.suffix(Int.random(in: 0...12)), at: place)
            }
        }
        return bytes
    }

    @Test func noMultipartBodyCrashesItsParser() {
        let body =
            "--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b\r\nContent-Type: text/plain\r\n\r\ncontent\r\n--b--\r\n"
        let measured = body.replacing("text/plain\r\n", with: "text/plain\r\nContent-Length: 7\r\n")
        for round in 0..<20_000 {
            do {
                let parts = try MultipartRelated(
                    ByteBuffer(bytes: spoiled(round % 2 == 0 ? body : measured)),
                    contentType: "multipart/related; boundary=b")
                #expect(parts.content.body.readableBytes <= body.utf8.count * 4)
            } catch let problem {
                #expect([.malformedRequest, .unsupportedMediaType].contains(problem.code.known))
            }
        }
        for _ in 0..<5000 {
            let type = String(decoding: spoiled("multipart/related; boundary=\"b\"; x=y"), as: UTF8.self)
            _ = try? MultipartRelated(ByteBuffer(string: body), contentType: type)
        }
    }

    @Test func aPartMayBeEmptyAndTheFirstDelimiterMayBeginTheBody() throws {
        let empty = try MultipartRelated(
            ByteBuffer(string: "preamble\r\n--b\r\n\r\n{}\r\n--b\r\n\r\n\r\n--b-- \r\nepilogue"),
            contentType: "multipart/related;boundary=b")
        #expect(String(buffer: empty.metadata.body) == "{}")
        #expect(empty.content.body.readableBytes == 0)
        let shared = try MultipartRelated(
            ByteBuffer(string: "--b\r\n\r\n{}\r\n--b\r\nA: 1\r\n\r\n--b--"), contentType: "multipart/related;boundary=b"
        )
        #expect(shared.content.headers == ["a": "1"])
        #expect(shared.content.body.readableBytes == 0)
    }

    @Test func aPartThatSaysItsLengthEndsThere() throws {
        func content(_ length: String, _ content: String) throws(Problem) -> String {
            let parts = try MultipartRelated(
                ByteBuffer(
                    string: "--b\r\n\r\n{}\r\n--b\r\nContent-Length: \(length)\r\n\r\n\(content)\r\n--b--\r\n"),
                contentType: "multipart/related;boundary=b")
            return String(buffer: parts.content.body)
        }
        #expect(try content("7", "content") == "content")
        #expect(try content("0", "") == "")
        // What stands in it is content, whatever it looks like.
        #expect(try content("13", "a\r\n--b\r\n\r\nbcd") == "a\r\n--b\r\n\r\nbcd")
        for length in ["6", "8", "-1", "+7x", "", "7.0", "9223372036854775807", "99999999999999999999"] {
            let refusal = #expect(throws: Problem.self) { try content(length, "content") }
            #expect(refusal?.code == .malformedRequest, "\(length)")
        }
        // What stands where the delimiter would end is not taken for the end of one.
        let refusal = #expect(throws: Problem.self) { try content("2", "ab12345--") }
        #expect(refusal?.code == .malformedRequest)
    }

    @Test func noRangeOrDigestCrashesItsParser() {
        for _ in 0..<20_000 {
            let range = String(decoding: spoiled("bytes=0-499,-5"), as: UTF8.self)
            if case .part(let part) = ByteRange.read(range, size: 1000) {
                #expect(part.lowerBound >= 0 && part.upperBound <= 1000 && !part.isEmpty)
            }
            _ = ContentRange(text: String(decoding: spoiled("bytes 0-499/1000"), as: UTF8.self))
            _ = try? ChunkDigest.read(
                chunkHash: String(decoding: spoiled("sha256=" + String(repeating: "0f", count: 32)), as: UTF8.self),
                contentDigest: String(
                    decoding: spoiled("sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:"), as: UTF8.self))
        }
    }
}
