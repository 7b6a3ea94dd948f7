import BothyContent
import BothyContract
import Foundation
import Testing

@testable import bothy

/// Whether a file here has the very content of one there: what a look tells, and when it is read.
@Suite struct LocalContentTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "bothy-content-\(UUID().uuidString)")
    private static let fine = Timestamp(seconds: 1_700_000_001, nanoseconds: 987_654_321)

    private func matches(
        _ here: [UInt8], at time: Timestamp = Self.fine, there: [UInt8], thereAt: Timestamp = Self.fine,
        isFolder: Bool = false, hasChecksum: Bool = true, trustingTime: Bool = true
    ) throws -> Bool {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A temporary folder that cannot be removed fails no test.
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appending(path: "a")
        try Data(here).write(to: place)
        let file = File(
            id: "f", name: "a", mimeType: isFolder ? File.folderMimeType : File.defaultMimeType,
            size: Int64(there.count),
            parentId: "root", checksum: hasChecksum ? SHA256Hasher.hash(there) : nil, version: 1,
            createdAt: thereAt, modifiedAt: thereAt, updatedAt: thereAt)
        return LocalContent.matches(
            place.path, size: Int64(here.count), modifiedAt: time, file, trustingTime: trustingTime)
    }

    @Test func theSameBytesAreTheSameWhateverTheirTimes() throws {
        for (here, there) in [
            (Self.fine, Self.fine), (Self.fine, Timestamp(seconds: 5)), (Timestamp(seconds: 5), Self.fine),
        ] {
            #expect(try matches([1, 2, 3], at: here, there: [1, 2, 3], thereAt: there))
        }
        #expect(try matches([], there: []))
    }

    @Test func anotherSizeOrAFolderOrWhatHasNoHashIsNeverTheSame() throws {
        #expect(try !matches([1, 2], there: [1, 2, 3]))
        #expect(try !matches([1, 2, 3], there: [1, 2, 3], isFolder: true))
        #expect(try !matches([1, 2, 3], there: [1, 2, 3], hasChecksum: false))
    }

    @Test func theSameFineTimeIsTakenForTheSameContentWhereItIsTrusted() throws {
        #expect(try matches([1, 2, 4], there: [1, 2, 3]))
        #expect(try !matches([1, 2, 4], there: [1, 2, 3], trustingTime: false))
        #expect(
            try !matches([1, 2, 4], at: Timestamp(seconds: 1_700_000_001, nanoseconds: 987_654_322), there: [1, 2, 3]))
    }

    /// A disk of whole seconds keeps the time of an edit within one.
    @Test(arguments: [0, 10_000_000, 980_000_000])
    func aRoundedTimeIsTrustedNowhere(nanoseconds: Int32) throws {
        let time = Timestamp(seconds: 1_700_000_001, nanoseconds: nanoseconds)
        #expect(try !matches([1, 2, 4], at: time, there: [1, 2, 3], thereAt: time))
        #expect(try matches([1, 2, 3], at: time, there: [1, 2, 3], thereAt: time))
    }
}
