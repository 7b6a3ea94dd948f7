import BothyContent
import Foundation
import Testing

@testable import BothyClient

@Suite struct LocalCopyTests {
    @Test func nothingOfWhatAKillHasLeftStaysInTheCopy() throws {
        let folder = try TemporaryFolder()
        let (source, copy) = (folder.file("source"), folder.file("copy"))
        try Data("short".utf8).write(to: URL(fileURLWithPath: source))
        try Data(repeating: 1, count: 3 << 20).write(to: URL(fileURLWithPath: copy))
        let made = try LocalCopy(disk: SystemDisk()).make(of: source, at: copy, mimeType: nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("short".utf8))
        #expect(made.size == 5 && made.checksum == SHA256Hasher.hash(Array("short".utf8)))
    }
}
