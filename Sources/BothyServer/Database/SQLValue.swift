import BothyContract

/// A value that goes into a statement or comes out of it.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(nilLiteral: ()) { self = .null }
}

/// A type that has one spelling in the database.
package protocol SQLConvertible {
    var sql: SQLValue { get }
}

extension Int64: SQLConvertible { package var sql: SQLValue { .integer(self) } }
extension Int: SQLConvertible { package var sql: SQLValue { .integer(Int64(self)) } }
extension Bool: SQLConvertible { package var sql: SQLValue { .integer(self ? 1 : 0) } }
extension String: SQLConvertible { package var sql: SQLValue { .text(self) } }
extension ContentHash: SQLConvertible { package var sql: SQLValue { .bytes(bytes) } }
/// Milliseconds since 1970. A file's own time, which is finer, is kept as seconds and nanoseconds by its table.
extension Timestamp: SQLConvertible { package var sql: SQLValue { .integer(milliseconds) } }
extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    package var sql: SQLValue { self?.sql ?? .null }
}

/// A row of an answer; columns are counted from 0, in the order of the `SELECT`.
package struct SQLRow: Sendable {
    package let values: [SQLValue]

    package init(_ values: [SQLValue]) { self.values = values }

    // A column of another type than the schema's is a bug in a statement, so these trap.

    package func int64(_ column: Int) -> Int64 {
        guard case .integer(let value) = values[column] else { preconditionFailure("column \(column) is no integer") }
        return value
    }

    package func int(_ column: Int) -> Int { Int(int64(column)) }

    package func bool(_ column: Int) -> Bool { int64(column) != 0 }

    package func string(_ column: Int) -> String {
        guard case .text(let value) = values[column] else { preconditionFailure("column \(column) is no text") }
        return value
    }

    package func bytes(_ column: Int) -> [UInt8] {
        guard case .bytes(let value) = values[column] else { preconditionFailure("column \(column) is no bytes") }
        return value
    }

    package func hash(_ column: Int) -> ContentHash {
        guard let hash = ContentHash(bytes: bytes(column)) else { preconditionFailure("column \(column) is no hash") }
        return hash
    }

    package func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: int64(column)) }

    package func isNull(_ column: Int) -> Bool { values[column] == .null }

    /// `row.optional(3, SQLRow.string)`: nil where the column is NULL.
    package func optional<Value>(_ column: Int, _ read: (SQLRow) -> (Int) -> Value) -> Value? {
        isNull(column) ? nil : read(self)(column)
    }
}
