import BothyContract
import NIOCore

@testable import BothyServer

extension FuzzTarget {
    /// `multipart/related`: the first line is the request's Content-Type, the rest its body.
    static let multipart = FuzzTarget(
        "multipart",
        words: [
            "multipart/related; ", "boundary=", "\r\n", "\r\n\r\n", "--", "--b", "Content-Type: ", "Content-Length: 7",
            "\"",
        ]
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
}
