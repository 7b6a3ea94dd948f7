/// Sorts what may begin into what goes together and what goes alone. Pure.
struct CompanyGathering {
    private struct Group {
        var entries = [TransferQueue.Entry]()
        var bytes = 0
    }

    private var up = Group()
    private var down = Group()

    /// - Returns: those that begin now, together; one alone where it goes in no company.
    mutating func take(_ entry: TransferQueue.Entry) -> [TransferQueue.Entry]? {
        guard let bytes = entry.bytesInCompany else { return [entry] }
        switch entry.record {
        case .upload: return Self.add(entry, bytes, to: &up, most: BatchGathering.largestBody)
        case .download: return Self.add(entry, bytes, to: &down, most: SmallDownloads.mostBytes)
        }
    }

    /// Those that are left, which begin once nobody else comes.
    var rest: [[TransferQueue.Entry]] { [up.entries, down.entries].filter { !$0.isEmpty } }

    /// - Parameter most: bytes of one request, or of its answer.
    private static func add(
        _ entry: TransferQueue.Entry, _ bytes: Int, to group: inout Group, most: Int
    ) -> [TransferQueue.Entry]? {
        let isFull = group.entries.count == BatchGathering.mostItems || group.bytes + bytes > most
        let leaving = isFull && !group.entries.isEmpty ? group.entries : nil
        if leaving != nil { group = Group() }
        group.entries.append(entry)
        group.bytes += bytes
        return leaving
    }
}
