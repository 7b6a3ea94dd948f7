/// Which contents have a word, as it is kept: their numbers in order, each as its distance from the one before.
struct ContentList: Equatable {
    private(set) var ids: [Int64]

    /// - Parameter ids: in any order.
    init(_ ids: some Sequence<Int64>) { self.ids = Set(ids).sorted() }

    /// - Returns: as much as can be read, of what is damaged: it may find less then, and nothing that is not there.
    init(bytes: [UInt8]) {
        ids = []
        var (place, last) = (0, Int64(0))
        while place < bytes.count, let distance = Varint.read(from: bytes, at: &place) {
            let (next, isTooLarge) = last.addingReportingOverflow(Int64(clamping: distance))
            if isTooLarge { return }
            ids.append(next)
            last = next
        }
    }

    var bytes: [UInt8] {
        var (bytes, last) = ([UInt8](), Int64(0))
        for id in ids {
            Varint.append(UInt64(id - last), to: &bytes)
            last = id
        }
        return bytes
    }

    mutating func remove(_ id: Int64) { ids.removeAll { $0 == id } }
}
