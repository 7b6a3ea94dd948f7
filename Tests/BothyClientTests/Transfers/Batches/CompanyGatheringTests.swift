import BothyContract
import Testing

@testable import BothyClient

/// What begins together: no request is too large for what may be on the way, and nobody is left out.
@Suite struct CompanyGatheringTests {
    private static let now = Timestamp(seconds: 1)

    private func upload(_ id: Int, _ size: Int64, _ change: (inout UploadTransfer) -> Void = { _ in })
        -> TransferQueue.Entry
    {
        let order = UploadOrder(localPath: "/home/anna/\(id)", name: "\(id)", parentId: File.rootId)
        var transfer = UploadTransfer(transferId: "up-\(id)", order: order, now: Self.now)
        change(&transfer)
        return TransferQueue.Entry(record: .upload(transfer), size: size)
    }

    private func download(_ id: Int, _ size: Int64, isKnown: Bool = true) -> TransferQueue.Entry {
        let order = DownloadOrder(fileId: "f\(id)", name: "\(id)", destination: "/home/anna/\(id)", size: size)
        let known = RemoteContent(
            revisionId: "r\(id)", size: size, checksum: nil, downloadUrl: nil, modifiedAt: Self.now, executable: false)
        let transfer = DownloadTransfer(transferId: "down-\(id)", order: order, now: Self.now)
        return TransferQueue.Entry(record: .download(transfer), size: size, known: isKnown ? known : nil)
    }

    @Test(arguments: PropertyCases.seeds(20)) func eachGoesOnceInItsOrderAndNoGroupIsTooLarge(seed: UInt64) {
        var random = SeededRandom(seed)
        let entries = (0..<random.below(600)).map { index in
            let size = Int64(random.below([300, 9_000, 140_000][random.below(3)]))
            return random.below(2) == 0 ? upload(index, size) : download(index, size, isKnown: random.below(9) > 0)
        }
        var gathering = CompanyGathering()
        let groups = entries.compactMap { gathering.take($0) } + gathering.rest
        for group in groups where group.count > 1 {
            let isUp = group[0].id.hasPrefix("up")
            #expect(group.allSatisfy { $0.id.hasPrefix("up") == isUp && $0.bytesInCompany != nil })
            #expect(group.count <= BatchGathering.mostItems)
            let bytes = group.reduce(0) { $0 + ($1.bytesInCompany ?? 0) }
            #expect(bytes <= (isUp ? BatchGathering.largestBody : SmallDownloads.mostBytes))
        }
        #expect(groups.flatMap(\.self).map(\.id).sorted() == entries.map(\.id).sorted())
        for way in ["up", "down"] {
            let going = groups.flatMap(\.self).filter { $0.id.hasPrefix(way) && $0.bytesInCompany != nil }.map(\.id)
            #expect(going == entries.filter { $0.id.hasPrefix(way) && $0.bytesInCompany != nil }.map(\.id))
        }
        #expect(groups.allSatisfy { !$0.isEmpty })
        for way in ["up", "down"] {
            let full = groups.filter { $0[0].id.hasPrefix(way) && $0[0].bytesInCompany != nil }
            let most = way == "up" ? BatchGathering.largestBody : SmallDownloads.mostBytes
            for (group, next) in zip(full, full.dropFirst()) {
                let bytes = (group + next.prefix(1)).reduce(0) { $0 + ($1.bytesInCompany ?? 0) }
                #expect(group.count == BatchGathering.mostItems || bytes > most, "as full as may be")
            }
        }
    }

    @Test func whatALaterRequestHasToKnowGoesByItself() {
        #expect(upload(1, 300).bytesInCompany != nil)
        #expect(upload(1, UploadLimits.batchContentBytes + 1).bytesInCompany == nil)
        #expect(upload(1, 300) { $0.sessionId = "s" }.bytesInCompany == nil)
        #expect(upload(1, 300) { $0.generation = 1 }.bytesInCompany == nil)
        #expect(upload(1, 300) { $0.chunked = true }.bytesInCompany == nil)
        #expect(download(1, 300).bytesInCompany != nil)
        #expect(download(1, 300, isKnown: false).bytesInCompany == nil)
    }
}

extension UploadLimits {
    fileprivate static var batchContentBytes: Int64 { Int64(batchContent) }
}
