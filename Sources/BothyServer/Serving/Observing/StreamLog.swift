import BothyContract
import Foundation
import Logging

/// Spells log lines, as text or as one JSON object a line.
package struct StreamLog: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]

    private let label: String
    private let format: ServerConfig.LogFormat
    private let write: @Sendable (String, Logger.Level) -> Void

    /// - Parameter write: takes one line with its end.
    package init(
        label: String, level: Logger.Level, format: ServerConfig.LogFormat,
        write: @escaping @Sendable (String, Logger.Level) -> Void
    ) {
        self.label = label
        self.logLevel = level
        self.format = format
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields = event.metadata ?? [:]
        if !metadata.isEmpty { fields.merge(metadata) { own, _ in own } }
        let time = SystemClock().now().rfc3339
        let pairs = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) }
        switch format {
        case .text: write(Self.text(time, event.level, event.message.description, pairs), event.level)
        case .json: write(Self.json(time, event.level, event.message.description, label, pairs), event.level)
        }
    }

    static func text(
        _ time: String, _ level: Logger.Level, _ message: String, _ fields: [(String, String)]
    ) -> String {
        var line = ""
        line.reserveCapacity(usualLength)
        for piece in [time, " ", name(of: level), " ", escaped(message)] { line += piece }
        for (name, value) in fields {
            let needsQuotes = value.isEmpty || value.utf8.contains { " \"=".utf8.contains($0) }
            for piece in [" ", name, needsQuotes ? "=\"" : "=", escaped(value), needsQuotes ? "\"" : ""] {
                line += piece
            }
        }
        line += "\n"
        return line
    }

    static func json(
        _ time: String, _ level: Logger.Level, _ message: String, _ label: String, _ fields: [(String, String)]
    ) -> String {
        var line = "{\"time\":\"\(time)\",\"level\":\"\(level.rawValue)\",\"message\":\"\(escaped(message))\""
        for (name, value) in fields { line += ",\"\(escaped(name))\":\"\(escaped(value))\"" }
        return line + "}\n"
    }

    /// Bytes of a request's line.
    private static let usualLength = 192

    private static func name(of level: Logger.Level) -> String {
        switch level {
        case .trace: "TRACE"
        case .debug: "DEBUG"
        case .info: "INFO"
        case .notice: "NOTICE"
        case .warning: "WARNING"
        case .error: "ERROR"
        case .critical: "CRITICAL"
        }
    }

    /// Nothing that a client sends can end a line or move a terminal's cursor. Fits JSON strings too.
    private static func escaped(_ text: String) -> String {
        // Nearly all that is logged is plain, and there is a line for each request.
        if text.utf8.allSatisfy(isPlain) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            default:
                if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                    result += "\\u" + String(format: "%04x", scalar.value & 0xFFFF)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
