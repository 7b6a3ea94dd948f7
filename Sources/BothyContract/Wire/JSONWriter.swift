/// A value of the wire that spells its own JSON, for those that are on the path of every request.
///
/// It says the very bytes that `JSONEncoder` says with `sortedKeys` and `withoutEscapingSlashes`; `JSONWriterTests`, or
/// a test beside the type, holds it to that.
package protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

/// Writes JSON (RFC 8259) front to back.
package struct JSONWriter {
    package private(set) var bytes = [UInt8]()
    /// Whether what comes next in the object or list needs a comma before it.
    private var hasPrevious = false

    /// Bytes of a typical `File`.
    private static let usualSize = 1024

    package init() { bytes.reserveCapacity(Self.usualSize) }

    // MARK: - Fields of an object, which the caller names in the order of the alphabet

    package mutating func field(_ name: StaticString, _ value: String) {
        begin(name)
        write(value)
    }

    package mutating func field(_ name: StaticString, _ value: Int64) {
        begin(name)
        write(value)
    }

    package mutating func field(_ name: StaticString, _ value: UInt64) {
        begin(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    package mutating func field(_ name: StaticString, _ value: Bool) {
        begin(name)
        append(value ? "true" : "false")
    }

    package mutating func field(_ name: StaticString, _ value: Timestamp) {
        begin(name)
        quote(value.rfc3339)
    }

    package mutating func field(_ name: StaticString, _ value: ContentHash) {
        begin(name)
        quote(value.hex)
    }

    package mutating func field(_ name: StaticString, _ value: some JSONWritable) {
        begin(name)
        write(value)
    }

    package mutating func field(_ name: StaticString, _ values: [some JSONWritable]) {
        begin(name)
        write(values)
    }

    /// An object of which its own type is none.
    package mutating func object(_ name: StaticString, _ writeFields: (inout JSONWriter) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "{"))
        hasPrevious = false
        writeFields(&self)
        bytes.append(UInt8(ascii: "}"))
        hasPrevious = true
    }

    // What is nil is left out.

    package mutating func field(_ name: StaticString, _ value: String?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Int64?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Bool?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Timestamp?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: ContentHash?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: (some JSONWritable)?) {
        if let value { field(name, value) }
    }

    /// Runs are lists of two numbers.
    package mutating func field(_ name: StaticString, _ runs: [ChunkRun]?) {
        guard let runs else { return }
        begin(name)
        append("[")
        for (index, run) in runs.enumerated() {
            append(index == 0 ? "[" : ",[")
            write(Int64(run.first))
            append(",")
            write(Int64(run.last))
            append("]")
        }
        append("]")
    }

    // MARK: - Values

    package mutating func write(_ value: some JSONWritable) {
        bytes.append(UInt8(ascii: "{"))
        hasPrevious = false
        value.write(to: &self)
        bytes.append(UInt8(ascii: "}"))
        hasPrevious = true
    }

    package mutating func write(_ values: [some JSONWritable]) {
        bytes.append(UInt8(ascii: "["))
        hasPrevious = false
        for value in values {
            separate()
            write(value)
        }
        bytes.append(UInt8(ascii: "]"))
        hasPrevious = true
    }

    private mutating func begin(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if hasPrevious { bytes.append(UInt8(ascii: ",")) }
        hasPrevious = true
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(_ value: Int64) {
        guard value >= 0, value < 10 else { return bytes.append(contentsOf: String(value).utf8) }
        bytes.append(UInt8(ascii: "0") + UInt8(value))
    }

    /// Text in which nothing needs an escape.
    private mutating func quote(_ plain: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: plain.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func write(_ text: String) {
        if text.utf8.allSatisfy(Self.isPlain) { return quote(text) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { if Self.isPlain(byte) { bytes.append(byte) } else { escape(byte) } }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        default:
            append("u00")
            bytes.append(UInt8(ascii: "0") + (byte >> 4))
            bytes.append((byte & 15) < 10 ? UInt8(ascii: "0") + (byte & 15) : UInt8(ascii: "a") + (byte & 15) - 10)
        }
    }
}
