import ArgumentParser
import Hummingbird
import Logging
import NIOCore

/// What P11 is held against: a Hummingbird server whose handlers do nothing. GET answers a body of the size of a `File`,
/// POST reads its body first.
struct HandlerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handler", abstract: "Serves empty handlers on the loopback until it is stopped.")

    @Argument(help: "1 to 65535.") var port: Int

    func run() async throws {
        guard (1...65_535).contains(port) else { throw ValidationError("A port is 1 to 65535.") }
        /// Bytes of a typical `File` as JSON.
        let answer = ByteBuffer(repeating: UInt8(ascii: "x"), count: 600)
        let router = Router()
        router.get("/v1/files/:fileId") { _, _ in Response(status: .ok, body: .init(byteBuffer: answer)) }
        router.post("/v1/files") { request, _ in
            _ = try await request.body.collect(upTo: 1 << 20)
            return Response(status: .created, body: .init(byteBuffer: answer))
        }
        var logger = Logger(label: "bothy-bench")
        logger.logLevel = .warning
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        try await application.runService()
    }
}
