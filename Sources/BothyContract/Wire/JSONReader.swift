import Foundation

/// A value of the wire that reads the JSON that its kind writes (``JSONWritable``), for those that come by the thousand.
///
/// It takes no other. Spaces, escapes, fields in another order and fields that it does not know are ``JSONReader/Unusual``, and left to
/// `JSONDecoder`, which decides what they are worth and says what is wrong; see ``WireCoding/decode(_:from:)``.
/// What it does take `JSONDecoder` reads the same, to which `JSONReaderTests` holds it.
package protocol JSONReadable: JSONValue {
    /// Takes the fields of its object, all of them.
    ///
    /// - Parameter json: at the first of them.
    init(fields json: inout JSONReader) throws(JSONReader.Unusual)
}

/// What may stand behind the name of a field, or in a list.
package protocol JSONValue {
    /// - Parameter json: at the value's first byte; behind its last afterwards.
    init(value json: inout JSONReader) throws(JSONReader.Unusual)
}

/// Reads JSON (RFC 8259) front to back.
package struct JSONReader {
    /// It is for another to read, or no JSON at all.
    package struct Unusual: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// Whether what comes next in the object or list has a comma before it.
    private var hasPrevious = false

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads a whole document.
    ///
    /// - Returns: nil for what is unusual.
    package static func read<Value: JSONReadable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) -> Value? {
        var json = JSONReader(bytes)
        // What is unusual is read by `JSONDecoder`, which says what is wrong with it.
        guard let value = try? Value(value: &json), json.position == bytes.count else { return nil }
        return value
    }

    // MARK: - Fields of an object, which the caller names in the order of the alphabet

    /// The value of the field that comes next and has to be this one.
    package mutating func field<Value: JSONValue>(_ name: StaticString) throws(Unusual) -> Value {
        guard begins(name) else { throw Unusual() }
        return try Value(value: &self)
    }

    /// The value of a field that may be left out.
    ///
    /// - Returns: nil where another field comes next, or none.
    package mutating func fieldIfThere<Value: JSONValue>(_ name: StaticString) throws(Unusual) -> Value? {
        begins(name) ? try Value(value: &self) : nil
    }

    /// Steps behind the name, where that comes next.
    private mutating func begins(_ name: StaticString) -> Bool {
        var at = position
        if hasPrevious {
            guard at < bytes.count, bytes[at] == UInt8(ascii: ",") else { return false }
            at += 1
        }
        let count = name.utf8CodeUnitCount
        guard bytes.count - at > count + 3, bytes[at] == UInt8(ascii: "\""),
            memcmp(bytes.baseAddress! + at + 1, name.utf8Start, count) == 0,
            bytes[at + count + 1] == UInt8(ascii: "\""), bytes[at + count + 2] == UInt8(ascii: ":")
        else { return false }
        position = at + count + 3
        hasPrevious = true
        return true
    }

    // MARK: - Values

    fileprivate mutating func object<Value: JSONReadable>() throws(Unusual) -> Value {
        try take("{")
        hasPrevious = false
        let value = try Value(fields: &self)
        try take("}")
        hasPrevious = true
        return value
    }

    fileprivate mutating func list<Value: JSONValue>() throws(Unusual) -> [Value] {
        try take("[")
        var values = [Value]()
        while !comes("]") {
            if !values.isEmpty { try take(",") }
            values.append(try Value(value: &self))
        }
        try take("]")
        return values
    }

    /// What is between two quotes, with nothing in it that is spelled otherwise.
    fileprivate mutating func plainText() throws(Unusual) -> UnsafeRawBufferPointer {
        try take("\"")
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") else { throw Unusual() }
            position += 1
        }
        let end = position
        try take("\"")
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    fileprivate mutating func number() throws(Unusual) -> Int64 {
        let isNegative = comes("-")
        if isNegative { position += 1 }
        let start = position
        var value: Int64 = 0
        while position < bytes.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[position] {
            let digit = Int64(bytes[position] - UInt8(ascii: "0"))
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isAbove) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !isTooLarge, !isAbove else { throw Unusual() }
            value = sum
            position += 1
        }
        // No number begins with a zero but zero itself, which has no sign.
        let beginsWithZero = position > start && bytes[start] == UInt8(ascii: "0")
        guard position > start, !beginsWithZero || position - start == 1 && !isNegative else { throw Unusual() }
        return value
    }

    fileprivate mutating func truth() throws(Unusual) -> Bool {
        let word: StaticString = comes("t") ? "true" : "false"
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count, memcmp(bytes.baseAddress! + position, word.utf8Start, count) == 0 else {
            throw Unusual()
        }
        position += count
        return count == 4
    }

    private func comes(_ character: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    private mutating func take(_ character: Unicode.Scalar) throws(Unusual) {
        guard comes(character) else { throw Unusual() }
        position += 1
    }
}

// MARK: - What can be read

extension JSONReadable {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) { self = try json.object() }
}

extension Array: JSONValue where Element: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) { self = try json.list() }
}

extension String: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) {
        guard let text = String(validating: try json.plainText(), as: UTF8.self) else { throw JSONReader.Unusual() }
        self = text
    }
}

extension Int64: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) { self = try json.number() }
}

extension Int: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) { self = Int(try json.number()) }
}

extension Bool: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) { self = try json.truth() }
}

extension Timestamp: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) {
        guard let time = Timestamp(rfc3339UTF8: try json.plainText()) else { throw JSONReader.Unusual() }
        self = time
    }
}

extension ContentHash: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) {
        guard let hash = ContentHash(hexDigits: try json.plainText()) else { throw JSONReader.Unusual() }
        self = hash
    }
}

extension JSONValue where Self: RawRepresentable<String> {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) {
        guard let value = Self(rawValue: try String(value: &json)) else { throw JSONReader.Unusual() }
        self = value
    }
}
