import BothyContract

/// What has a star, as this device knows it: the same with a connection and without one.
struct DeviceStarred: StarredRepository {
    private let replica: ReplicaEngine

    init(_ replica: ReplicaEngine) { self.replica = replica }

    func page(after place: String?, limit: Int) async throws -> StarredPage {
        let start = max(0, place.flatMap { Int($0) } ?? 0)
        let (items, total) = try await replica.starred(from: start, limit: limit)
        let end = start + items.count
        return StarredPage(items: items, next: end < total && !items.isEmpty ? String(end) : nil)
    }
}
