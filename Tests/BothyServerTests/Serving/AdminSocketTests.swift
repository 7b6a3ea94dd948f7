import BothyServer
import Foundation
import Logging
import Testing

@Suite struct AdminSocketTests {
    private func lines(_ folder: DataFolder, _ request: AdminRequest) async throws -> [String] {
        var lines: [String] = []
        try await AdminClient(folder).run(request) { if let words = $0.words { lines.append(words) } }
        return lines
    }

    /// Waits for the socket, which the task beside this one makes.
    private func untilListening(_ folder: DataFolder) async throws {
        for _ in 0..<1_000_000 where !FileManager.default.fileExists(atPath: folder.adminSocket) { await Task.yield() }
    }

    @Test func doesWhatItsOwnerAsksAlsoInADeepFolder() async throws {
        let home = try TemporaryFolder()
        let deep = home.file(String(repeating: "deep/", count: 40))
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        // A folder deeper than a socket's name has room for.
        try await AccountServer.with(folder: home) { server in
            let folder = DataFolder(path: deep)
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let socket = AdminSocket(folder, commands: AdminCommands(server.services), logger: logger)
            let running = Task { try await socket.run() }
            try await untilListening(folder)
            #expect(try await lines(folder, .userList) == ["There is no account yet."])
            _ = try await server.register()
            #expect(try await lines(folder, .userList).first?.contains("ada@example.org") == true)
            let mode = try FileManager.default.attributesOfItem(atPath: folder.adminSocket)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            await #expect(throws: ServerFault.self) { try await lines(folder, .userDisable(email: "no@example.org")) }
            running.cancel()
            _ = await running.result
        }
    }

    @Test func withoutAServerItSaysSo() async throws {
        let home = try TemporaryFolder()
        do {
            _ = try await lines(DataFolder(path: home.path), .stats)
            Issue.record("there is no server")
        } catch let fault as ServerFault {
            #expect(fault.description.contains("No server is running on \(home.path)"))
        }
    }
}
