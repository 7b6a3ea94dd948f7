import BothyContent
import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// Content as it is served: ranges, conditions, signatures, damage.
@Suite struct ContentTests {
    private let chunk = UploadWorld.chunk

    @Test func theWholeContentComesWithItsDigest() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(5 * chunk + 100)
        let file = try await world.upload("film.bin", content)
        let answer = try await world.read(file)
        #expect(answer.status == 200)
        #expect(Array(answer.body.readableBytesView) == content)
        #expect(answer.headers[.eTag] == "\"\(SHA256Hasher.hash(content).hex)\"")
        let digest = Data(SHA256Hasher.hash(content).bytes).base64EncodedString()
        #expect(answer.headers[HTTPField.Name(HeaderNames.reprDigest)!] == "sha-256=:\(digest):")
        #expect(answer.headers[.contentLength] == String(content.count))
        #expect(answer.headers[.acceptRanges] == "bytes")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.contentSecurityPolicy] == "sandbox")
        let cache = try #require(answer.headers[.cacheControl])
        #expect(cache.hasPrefix("private, immutable, max-age="))
    }

    @Test func everyRangeIsThatPartOfTheContent() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(3 * chunk + 100)
        let file = try await world.upload("film.bin", content)
        let edges = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk, content.count - 1]
        for first in edges {
            for last in edges where first <= last {
                let answer = try await world.read(file, headers: [.range: "bytes=\(first)-\(last)"])
                #expect(answer.status == 206)
                #expect(answer.headers[.contentRange] == "bytes \(first)-\(last)/\(content.count)")
                #expect(answer.body.readableBytesView.elementsEqual(content[first...last]))
            }
        }
        let suffix = try await world.read(file, headers: [.range: "bytes=-77"])
        #expect(suffix.body.readableBytesView.elementsEqual(content.suffix(77)))
        let open = try await world.read(file, headers: [.range: "bytes=\(chunk)-"])
        #expect(open.body.readableBytesView.elementsEqual(content[chunk...]))
        let past = try await world.read(file, headers: [.range: "bytes=0-99999999999999999999"])
        #expect(past.status == 206)
        #expect(past.body.readableBytes == content.count)
    }

    @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999-"])
    func aRangePastTheContentCannotBeServed(_ range: String) async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("short", UploadWorld.bytes(100))
        let answer = try await world.read(file, headers: [.range: range])
        #expect(answer.code == .rangeNotSatisfiable)
        #expect(answer.headers[.contentRange] == "bytes */100")
    }

    @Test(arguments: [
        "bytes=5-2", "bytes=a-b", "items=0-5", "bytes=0-1,5-9", "bytes", "bytes=", "bytes=-", "bytes=--5",
    ])
    func aRangeThatMakesNoSenseIsNotLookedAt(_ range: String) async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("short", UploadWorld.bytes(100))
        let answer = try await world.read(file, headers: [.range: range])
        #expect(answer.status == 200)
        #expect(answer.body.readableBytes == 100)
    }

    @Test func conditionsSaveBytesAndKeepRangesOfOneContentTogether() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(100)
        let file = try await world.upload("short", content)
        let tag = "\"\(SHA256Hasher.hash(content).hex)\""
        for condition in [tag, "*", "W/\(tag)", "\"x\", \(tag)"] {
            let answer = try await world.read(file, headers: [.ifNoneMatch: condition])
            #expect(answer.status == 304)
            #expect(answer.headers[.eTag] == tag)
            #expect(answer.body.readableBytes == 0)
        }
        #expect(try await world.read(file, headers: [.ifNoneMatch: "\"x\""]).status == 200)
        #expect(try await world.read(file, headers: [.range: "bytes=1-2", .ifRange: tag]).status == 206)
        #expect(try await world.read(file, headers: [.range: "bytes=1-2", .ifRange: "\"x\""]).status == 200)
        #expect(
            try await world.read(file, headers: [.range: "bytes=1-2", .ifRange: "Sat, 21 Nov 2026 04:00:00 GMT"]).status
                == 200)
    }

    @Test func headTellsWhatGetWouldAnswer() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("film", UploadWorld.bytes(2 * chunk))
        let path = try #require(file.downloadUrl)
        let whole = try await world.server.send(.head, path, as: nil)
        #expect(whole.status == 200)
        #expect(whole.headers[.contentLength] == String(2 * chunk))
        #expect(whole.body.readableBytes == 0)
        let part = try await world.server.send(.head, path, as: nil, headers: [.range: "bytes=0-9"])
        #expect(part.status == 206)
        #expect(part.headers[.contentLength] == "10")
    }

    @Test func aDamagedBlockIsNeverServed() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(3 * chunk)
        let file = try await world.upload("rotten", content)
        let locations = try await world.server.database.read {
            try ContentBlocks($0, drive: 1).located(of: 1, from: 0, limit: 3).map(\.location)
        }
        world.packs.damage(locations[0])
        let answer = try await world.read(file)
        #expect(answer.status == 503)
        #expect(answer.code == .contentCorrupt)
        world.packs.repairEverything()
        // Damage further on is met while the answer is under way: it breaks off instead of ending.
        world.packs.damage(locations[2])
        await #expect(throws: PackError.self) { try await world.read(file) }
        // Once it was met it is told before anything is sent, also to whoever asks for a range that only ends there.
        for headers: HTTPFields in [[:], [.range: "bytes=\(chunk)-\(2 * chunk)"]] {
            let again = try await world.read(file, headers: headers)
            #expect(again.status == 503)
            #expect(again.code == .contentCorrupt)
        }
        #expect(try await world.read(file, headers: [.range: "bytes=0-9"]).status == 206)
        world.packs.repairEverything()
        let whole = try await world.read(file)
        #expect(Array(whole.body.readableBytesView) == content)
    }

    @Test func anAddressIsSignedOverAllOfItsParameters() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("secret", UploadWorld.bytes(10))
        let other = try await world.upload("other", UploadWorld.bytes(11, seed: 2))
        let path = try #require(file.downloadUrl)
        let changed = [
            path.replacing("drive=1", with: "drive=2"),
            path.replacing(try #require(file.headRevisionId), with: try #require(other.headRevisionId)),
            path.replacing("exp=", with: "exp=1"),
            String(path.dropLast(1)),
            path + "A",
            path.replacing("sig=", with: "sug="),
            String(path.prefix { $0 != "?" }),
        ]
        for path in changed {
            let answer = try await world.server.send(.get, path, as: nil)
            #expect(answer.status == 403)
            #expect(answer.code == .urlInvalid, "\(path)")
        }
        #expect(try await world.server.send(.get, path, as: nil).status == 200)
    }

    @Test func anAddressHoldsForAnHourAtMost() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("hour", UploadWorld.bytes(10))
        world.server.clock.advance(seconds: 3300 - 1)
        #expect(try await world.read(file).status == 200)
        world.server.clock.advance(seconds: 302)
        #expect(try await world.read(file).code == .urlExpired)
        world.server.clock.jump(seconds: -365 * 24 * 3600)
        #expect(try await world.read(file).code == .urlExpired, "a calendar that goes back makes no address last")
    }

    @Test func contentOfAFileDeletedForGoodIsGone() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("gone", UploadWorld.bytes(10))
        #expect(try await world.server.send(.delete, "/v1/files/\(file.id)?permanent=true").status < 300)
        #expect(try await world.read(file).status == 404)
    }

    @Test func aPageNeverRunsAsOurs() async throws {
        let world = try await UploadWorld()
        func upload(_ name: String, _ type: String, _ content: String) async throws -> TestAnswer {
            let answer = try await world.server.send(
                .post, "/v1/upload?uploadType=media&name=\(name)", body: ByteBuffer(string: content),
                headers: [.contentType: type])
            return try await world.read(try answer.file())
        }
        let page = try await upload("page.html", "text/html", "<script>")
        #expect(page.headers[.contentDisposition]?.hasPrefix("attachment") == true)
        #expect(page.headers[.contentSecurityPolicy] == "sandbox")
        let picture = try await upload("a.svg", "image/svg+xml", "<svg/>")
        #expect(picture.headers[.contentDisposition]?.hasPrefix("attachment") == true)
        let pdf = try await upload("a.pdf", "application/pdf", "%PDF-1.7 rest")
        #expect(pdf.headers[.contentDisposition]?.hasPrefix("inline") == true)
        #expect(pdf.headers[.contentSecurityPolicy] == nil)
        let lie = try await upload("b.pdf", "application/pdf", "<script>")
        #expect(lie.headers[.contentSecurityPolicy] == "sandbox")
    }

    /// Nothing becomes a page by its name, and nothing that is known to be one thing becomes another.
    @Test(arguments: [
        ("a.pdf", "application/octet-stream", "application/pdf"), ("a.pdf", "application/x-pdf", "application/pdf"),
        ("a.m4a", "audio/x-m4a", "audio/mp4"), ("a.jpg", "image/jpg", "image/jpeg"), ("README", "", "text/plain"),
        ("a.html", "application/octet-stream", "application/octet-stream"), ("a.svg", "text/x-odd", "text/x-odd"),
        ("a.html", "text/plain", "text/plain"), ("a.pdf", "text/html", "text/html"),
        ("a.txt", "text/plain; charset=utf-8", "text/plain; charset=utf-8"),
    ])
    func contentIsServedAsWhatMayBeShown(_ name: String, _ stored: String, _ served: String) {
        #expect(ContentDisposition.servedType(stored, named: name) == served)
    }

    @Test func everyNameMakesASafeHeader() {
        let names = ["report.pdf", "a\"b\\c%.txt", "zażółć \u{202E}gnp.exe", "日本語", "semi;colon, comma", "'quote'"]
        for name in names {
            let header = ContentDisposition.header(name: name, mimeType: "text/html")
            #expect(header.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            let encoded = header.split(separator: "filename*=UTF-8''")[1]
            #expect(String(encoded).removingPercentEncoding == name)
            #expect(!encoded.contains(";") && !encoded.contains("\"") && !encoded.contains(" "))
            #expect(header.filter { $0 == "\"" }.count == 2)
        }
        #expect(ContentDisposition.mimeType("text/html; charset=utf-8") == "text/html; charset=utf-8")
        for type in ["", "text", "text/", "/html", "te xt/html", "text/html\r\nSet-Cookie: x", "ü/x"] {
            #expect(ContentDisposition.mimeType(type) == "application/octet-stream")
        }
    }
}
