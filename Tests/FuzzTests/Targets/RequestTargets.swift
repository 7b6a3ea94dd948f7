import BothyContract
import Foundation
import NIOCore

@testable import BothyServer

extension FuzzTarget {
    /// `multipart/related`: the first line is the request's Content-Type, the rest its body.
    static let multipart = FuzzTarget(
        "multipart",
        words: ["multipart/related; ", "boundary=", "\r\n", "\r\n\r\n", "--", "--b", "Content-Type: ", "\""]
    ) { input in
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        let body = input.dropFirst(line.count + 1)
        do throws(Problem) {
            let parts = try MultipartRelated(
                ByteBuffer(bytes: body), contentType: String(decoding: line, as: UTF8.self))
            let bytes = parts.metadata.body.readableBytes + parts.content.body.readableBytes
            if bytes > body.count { throw Problem(.internalError, "parts of \(bytes) bytes") }
        } catch {
            try require(error.status < 500, "\(error.detail)")
        }
    }

    /// `Range`: the first eight bytes are the size of the content, the rest the header.
    static let ranges = FuzzTarget(
        "ranges", words: ["bytes=", "-", ",", " ", "18446744073709551616", "9223372036854775807", "0"]
    ) { input in
        let size = input.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & .max
        guard case .part(let range) = ByteRange.read(String(decoding: input.dropFirst(8), as: UTF8.self), size: size)
        else {
            return
        }
        try require(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "\(range) of \(size) bytes")
    }

    /// The request that begins an upload, with its plan, and the requests that extend one.
    static let plans = FuzzTarget(
        "plans",
        words: ["\"plan\":", "\"blocks\":[", "\"size\":", "\"kind\":\"open\"", "\"chunkSize\":", "null", "1e99", "-1"]
    ) { input in
        guard let request = try? WireCoding.decode(UploadRequest.self, from: Data(input)) else { return }
        do throws(Problem) {
            var plan = try UploadPlan(starting: request)
            try plan.append(request.plan?.blocks ?? [])
            let isSound =
                (0...UploadLimits.maximumChunks).contains(plan.totalChunks)
                && (0...UploadLimits.maximumFileSize).contains(plan.plannedBytes)
            if !isSound { throw Problem(.internalError, "\(plan)") }
        } catch {
            try require(error.status < 500, "\(error.detail)")
        }
    }

    /// A list of blocks at 36 bytes each.
    static let blockLists = FuzzTarget("block-lists", words: []) { input in
        guard let blocks = BlockReference.list(input) else { return }
        let written = blocks.flatMap { block in
            block.sha256.bytes + (0..<4).map { UInt8(truncatingIfNeeded: block.size >> (24 - 8 * $0)) }
        }
        try require(written == input, "a list of \(blocks.count) blocks is another one when it is written again")
        try require(blocks.allSatisfy { UploadLimits.blockSizes.contains($0.size) }, "a block of a size that cannot be")
    }
}
