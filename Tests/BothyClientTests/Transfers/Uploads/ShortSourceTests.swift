import BothyClient
import BothyContract
import Foundation
import Testing

/// Files that end before the size that the system tells of them, as many of `/sys` do.
@Suite struct ShortSourceTests {
    /// Small ones go in one request, in company of others or alone, and large ones in pieces. The upload waited for itself, for ever.
    @Test(arguments: [4096, 3 << 20, 9 << 20]) func aFileThatIsShorterThanItsSizeIsRefused(size: Int) async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        var random = SeededRandom(7)
        let path = device.folder.file("enabled")
        try Data(random.bytes(size)).write(to: URL(fileURLWithPath: path))
        disk.cut(path, at: 23)
        let end = try await device.put(path)
        #expect(end.state == .failed && end.failure?.code == .sourceNotAFile)
        #expect(end.failure?.words.contains("ends after 23 bytes") == true)
        try await device.close()
    }
}
