import Foundation
import Logging
import Synchronization
import Testing

@testable import BothyServer

@Suite struct StreamLogTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private func log(_ format: ServerConfig.LogFormat, _ message: Logger.Message, _ metadata: Logger.Metadata) -> String
    {
        let lines = Lines()
        let logger = Logger(label: "test") { label in
            StreamLog(label: label, level: .info, format: format) { line, _ in lines.all.withLock { $0.append(line) } }
        }
        logger.info(message, metadata: metadata)
        logger.debug("below the level")
        return lines.all.withLock { $0.joined() }
    }

    @Test func aLineOfTextIsOneLineWhateverItSays() {
        let line = log(.text, "hello\nworld \u{1b}[31m", ["name": "a b", "route": "/v1/files", "rtl": "\u{202e}x"])
        #expect(line.filter { $0 == "\n" }.count == 1 && line.hasSuffix("\n"))
        #expect(
            line.contains("INFO hello\\nworld") && line.contains("name=\"a b\"") && line.contains("route=/v1/files"))
        #expect(!line.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
    }

    @Test func aLineOfJSONIsOneObject() throws {
        let line = log(.json, "say \"hi\"\\\n", ["key\"": "value\u{0}\u{7f}", "münchen": "💾"])
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(object?["message"] == "say \"hi\"\\\n" && object?["level"] == "info")
        #expect(object?["key\""] == "value\u{0}\u{7f}" && object?["münchen"] == "💾")
    }
}
