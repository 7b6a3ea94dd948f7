import BothyClient
import BothyContract

/// One account's drive as two devices see it, and this test's disk.
public struct DriveUnderTest: Sendable {
    public let drive: any DriveProvider
    /// The same drive from another device.
    public let other: any DriveProvider
    /// Writes a file and tells its absolute path.
    public let write: @Sendable (_ name: String, _ bytes: [UInt8]) throws -> String
    public let read: @Sendable (_ path: String) throws -> [UInt8]
    /// An absolute path where nothing is.
    public let place: @Sendable (_ name: String) -> String

    public init(
        drive: any DriveProvider, other: any DriveProvider,
        write: @escaping @Sendable (_ name: String, _ bytes: [UInt8]) throws -> String,
        read: @escaping @Sendable (_ path: String) throws -> [UInt8],
        place: @escaping @Sendable (_ name: String) -> String
    ) {
        self.drive = drive
        self.other = other
        self.write = write
        self.read = read
        self.place = place
    }
}

/// One thing that holds for every drive. Each is given a drive that nobody has used.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
    public let name: String
    let body: @Sendable (DriveUnderTest) async throws -> Void

    public var description: String { name }

    /// - Throws: `Nonconformance`, or what the drive threw.
    public func run(on drive: DriveUnderTest) async throws { try await body(drive) }
}

/// What a drive did that no drive may do.
public struct Nonconformance: Error, CustomStringConvertible {
    public let description: String
}

func require(_ holds: Bool, _ words: @autoclosure () -> String) throws {
    guard holds else { throw Nonconformance(description: words()) }
}

/// Holds where the work fails with one of `codes`.
func requireFailure(
    _ codes: FailureCode..., of words: String, _ work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch let failure as ClientFailure {
        try require(codes.contains(failure.code), "\(words): \(failure.code) instead of \(codes)")
        return
    }
    throw Nonconformance(description: "\(words): it was done")
}

extension DriveUnderTest {
    func put(
        _ name: String, _ bytes: [UInt8], in parentId: String = File.rootId, request: String, of fileId: String? = nil,
        base: String? = nil, conflict: ConflictPolicy = .fail
    ) async throws -> File {
        let path = try write("\(request).bytes", bytes)
        return try await drive.upload(
            DriveUpload(
                requestId: request, localPath: path, name: name, parentId: parentId, fileId: fileId,
                baseRevisionId: base, conflict: conflict))
    }

    /// Every change after a cursor, to the end, each entity at its newest.
    func changes(after cursor: String?) async throws -> (changes: [Change], cursor: String) {
        var (all, place) = ([Change](), cursor)
        while true {
            let page = try await drive.changes(after: place)
            all += page.changes
            place = page.cursor
            if !page.hasMore { return (all, page.cursor) }
        }
    }

    /// The files there are, by id, as the log tells them from its beginning.
    func everything() async throws -> [String: File] {
        var files = [String: File]()
        for change in try await changes(after: nil).changes where change.kind == .file {
            files[change.id] = change.removed ? nil : change.file
        }
        return files
    }
}
