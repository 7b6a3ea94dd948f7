import Foundation

/// The one way in which our JSON is written and read: UTF-8, unknown fields ignored.
public enum WireCoding {
    /// - Throws: `EncodingError`.
    public static func encode(_ value: some Encodable) throws -> Data {
        if let writable = value as? any JSONWritable { return written(writable) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// The same value gives the same bytes, in every process: a request that is sent again must be the same request.
    public static func encodeStably(_ value: some Encodable) throws -> Data {
        if let writable = value as? any JSONWritable { return written(writable) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return try encoder.encode(value)
    }

    /// - Throws: `DecodingError`, which names the field.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if let readable = type as? any JSONReadable.Type, let value = read(readable, from: data) as? Value {
            return value
        }
        return try JSONDecoder().decode(type, from: data)
    }

    /// The same as text, for a column of a database.
    public static func text(of value: some Encodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, fromText text: String) throws -> Value {
        try decode(type, from: Data(text.utf8))
    }

    private static func read<Value: JSONReadable>(_ type: Value.Type, from data: Data) -> Value? {
        data.withUnsafeBytes { JSONReader.read(type, from: $0) }
    }

    private static func written(_ value: some JSONWritable) -> Data {
        var json = JSONWriter()
        json.write(value)
        return Data(json.bytes)
    }
}
