import BothyContract
import Foundation
import NIOCore

/// A `multipart/related` body (RFC 2387, RFC 2046 §5.1) of exactly two parts: metadata, then content.
package struct MultipartRelated: Sendable {
    package struct Part: Sendable {
        /// Names in lower case.
        package var headers: [String: String]
        package var body: ByteBuffer
    }

    /// Bytes of one part's headers; two short ones are all that is needed.
    package static let maximumHeaderBytes = 8 << 10

    package var metadata: Part
    package var content: Part

    /// - Parameter contentType: of the request, with its boundary.
    /// - Throws: `unsupported_media_type`, `malformed_request`.
    package init(_ body: ByteBuffer, contentType: String) throws(Problem) {
        let delimiter = Array("\r\n--\(try Self.boundary(of: contentType))".utf8)
        var scanner = Scanner(body: body, delimiter: delimiter)
        try scanner.skipPreamble()
        metadata = try scanner.part()
        content = try scanner.part()
        guard scanner.isAtEnd else { throw Self.malformed("has more than two parts") }
    }

    private static func boundary(of contentType: String) throws(Problem) -> String {
        let pieces = contentType.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard pieces.first?.lowercased() == "multipart/related" else {
            throw Problem(.unsupportedMediaType, "The body should be multipart/related.")
        }
        let prefix = "boundary="
        guard let piece = pieces.dropFirst().first(where: { $0.lowercased().hasPrefix(prefix) }) else {
            throw malformed("says no boundary")
        }
        var boundary = piece.dropFirst(prefix.count)
        if boundary.first == "\"", boundary.last == "\"", boundary.count > 1 {
            boundary = boundary.dropFirst().dropLast()
        }
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw malformed("has a boundary that cannot be")
        }
        return String(boundary)
    }

    fileprivate static func malformed(_ what: String) -> Problem {
        Problem(.malformedRequest, "The multipart body \(what).")
    }
}

/// Walks over a body from delimiter to delimiter.
private struct Scanner {
    private let body: ByteBuffer
    private let delimiter: [UInt8]
    /// Of the body's readable bytes.
    private var place = 0
    private(set) var isAtEnd = false

    init(body: ByteBuffer, delimiter: [UInt8]) {
        self.body = body
        self.delimiter = delimiter
    }

    /// The first delimiter may begin the body; what stands before it counts for nothing.
    mutating func skipPreamble() throws(Problem) {
        let first = Array(delimiter.dropFirst(2))
        if body.getBytes(at: body.readerIndex, length: first.count) == first {
            place = first.count
        } else {
            guard let found = find(delimiter, from: 0) else { throw MultipartRelated.malformed("has no parts") }
            place = found + delimiter.count
        }
        try endDelimiter()
    }

    /// The part that begins here, up to its delimiter.
    mutating func part() throws(Problem) -> MultipartRelated.Part {
        guard !isAtEnd else { throw MultipartRelated.malformed("has fewer than two parts") }
        let headers = try headers()
        let end = try end(ofPartSaidToBe: headers["content-length"])
        let length = max(end - place, 0)
        guard let bytes = body.getSlice(at: body.readerIndex + place, length: length) else {
            throw MultipartRelated.malformed("does not end")
        }
        place = end + delimiter.count
        try endDelimiter()
        return MultipartRelated.Part(headers: headers, body: bytes)
    }

    /// Where the delimiter of the part that begins here is looked for: after as many bytes as its `Content-Length` says, where it
    /// has one, and else all the way: of a photo that is each of its bytes once more.
    private func end(ofPartSaidToBe length: String?) throws(Problem) -> Int {
        guard let length else {
            // A part without a byte may share its empty line with the delimiter.
            guard let end = find(delimiter, from: max(place - 2, 0)) else {
                throw MultipartRelated.malformed("does not end")
            }
            return end
        }
        guard let length = Int(length), (0...body.readableBytes).contains(length),
            find(delimiter, from: place + length, before: place + length + delimiter.count) != nil
        else { throw MultipartRelated.malformed("has a part that is not as long as its Content-Length says") }
        return place + length
    }

    private mutating func headers() throws(Problem) -> [String: String] {
        var headers = [String: String]()
        let limit = place + MultipartRelated.maximumHeaderBytes
        while true {
            guard let end = find([13, 10], from: place, before: limit),
                let line = body.getString(at: body.readerIndex + place, length: end - place)
            else { throw MultipartRelated.malformed("has a part whose headers do not end, or are too long") }
            place = end + 2
            if line.isEmpty { return headers }
            guard let colon = line.firstIndex(of: ":") else {
                throw MultipartRelated.malformed("has a header without a colon")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers[line[..<colon].lowercased()] = String(value)
        }
    }

    /// After a delimiter stands the end of its line, or `--` after the last part.
    private mutating func endDelimiter() throws(Problem) {
        let start = body.readerIndex + place
        if body.getBytes(at: start, length: 2) == Array("--".utf8) {
            isAtEnd = true
            return
        }
        guard let end = find([13, 10], from: place, before: place + 64),
            body.getString(at: start, length: end - place)?.allSatisfy({ $0 == " " || $0 == "\t" }) == true
        else { throw MultipartRelated.malformed("has a delimiter that does not end its line") }
        place = end + 2
    }

    private func find(_ pattern: [UInt8], from: Int, before limit: Int = .max) -> Int? {
        body.withUnsafeReadableBytes { bytes in
            let last = min(bytes.count, limit) - pattern.count
            var index = from
            while index <= last, let start = bytes.baseAddress {
                // The C library looks for one byte many at a time.
                guard let first = memchr(start + index, Int32(pattern[0]), last - index + 1) else { return nil }
                index = UnsafeRawPointer(first) - start
                if memcmp(start + index, pattern, pattern.count) == 0 { return index }
                index += 1
            }
            return nil
        }
    }
}
