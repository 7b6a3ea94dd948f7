import BothyClient
import BothyContract

/// What every ``UploadRepository`` holds to, whatever stands behind it.
package enum UploadConformance {
    /// A file whose bytes are `bytes`.
    package static func file(_ name: String, _ bytes: [UInt8], at seconds: Int64 = 1) -> UploadFile {
        UploadFile(name: name, size: Int64(bytes.count), modifiedAt: Timestamp(seconds: seconds)) {
            Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)])
        }
    }

    private static func expect(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw FolderConformance.Broken(what()) }
    }

    /// What was broken off goes on where it was, for the same file; another of that name, size or time begins anew.
    ///
    /// - Parameter bytes: more than one chunk.
    package static func theSameFileGoesOn(
        _ uploads: any UploadRepository, _ folders: any FolderRepository, bytes: [UInt8]
    ) async throws {
        let broken = UploadFile(name: "a.bin", size: Int64(bytes.count), modifiedAt: Timestamp(seconds: 1)) { range in
            guard range.lowerBound == 0 else { throw ClientFailure(.fileMissing, "It is gone.") }
            return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        let first = await standings(uploads, broken)
        try expect(first.failure?.code == .fileMissing, "\(String(describing: first.failure))")
        let underWay = try await uploads.underWay()
        try expect(underWay.count == 1 && underWay[0].receivedBytes > 0, "\(underWay)")
        let another = UploadFile(name: "a.bin", size: Int64(bytes.count), modifiedAt: Timestamp(seconds: 2)) { _ in
            throw ClientFailure(.fileMissing, "It is gone.")
        }
        let other = await standings(uploads, another)
        try expect(other.all.last?.receivedBytes == 0, "another file goes on where this one was")
        for one in try await uploads.underWay() where one.id != underWay[0].id { try await uploads.cancel(one.id) }
        let again = await standings(uploads, file("a.bin", bytes))
        try expect(again.all.first?.id == underWay[0].id, "it was begun anew")
        guard let item = again.all.last?.item else {
            throw FolderConformance.Broken("it is not there: \(String(describing: again.failure))")
        }
        try expect(item.name == "a.bin" && item.size == Int64(bytes.count), "\(item)")
        let told = try await folders.beginning(of: item.id, most: bytes.count)
        try expect(told == bytes, "its bytes are others")
        try expect(try await uploads.underWay().isEmpty, "something is left")
    }

    /// A name that is taken is refused, or settled as was said.
    package static func aTakenNameIsSettledAsSaid(
        _ uploads: any UploadRepository, _ folders: any FolderRepository
    ) async throws {
        _ = await standings(uploads, file("a", [1]))
        let refused = await standings(uploads, file("a", [2, 2], at: 2))
        try expect(refused.failure?.code == .nameConflict, "\(String(describing: refused.failure))")
        _ = await standings(uploads, file("a", [2, 2], at: 2), conflict: .fork)
        _ = await standings(uploads, file("a", [3, 3, 3], at: 3), conflict: .overwrite)
        let items = try await folders.window(of: .root, order: .name, 0..<9).items
        try expect(items.map(\.name).sorted() == ["a", "a (1)"], "\(items.map(\.name))")
        try expect(items.first { $0.name == "a" }?.size == 3, "the last one does not stand")
        let empty = await standings(uploads, file("empty", []))
        try expect(empty.all.last?.item?.size == 0, "\(empty)")
    }

    private static func standings(
        _ uploads: any UploadRepository, _ file: UploadFile, conflict: ConflictPolicy = .fail
    ) async -> (all: [UploadStanding], failure: ClientFailure?) {
        var all = [UploadStanding]()
        do {
            for try await standing in uploads.upload(file, to: .root, conflict: conflict) {
                all.append(standing)
            }
        } catch {
            return (all, error as? ClientFailure)
        }
        return (all, nil)
    }
}
