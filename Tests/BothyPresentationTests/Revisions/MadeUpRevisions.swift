import BothyClient
import BothyContract
import Synchronization

/// A file's history in memory.
final class MadeUpRevisions: FileRevisions {
    private struct State {
        /// Oldest first.
        var items: [(item: RevisionItem, text: [UInt8])] = []
        var failure: ClientFailure?
    }

    private let state = Mutex(State())

    @discardableResult
    func put(_ text: String, from device: String? = "laptop") -> String {
        state.withLock { state in
            let id = "r\(state.items.count)"
            for place in state.items.indices { state.items[place].item.isCurrent = false }
            let item = RevisionItem(
                id: id, mimeType: "text/plain", size: Int64(text.utf8.count),
                createdAt: Timestamp(seconds: Int64(state.items.count) * 60), device: device, isCurrent: true)
            state.items.append((item, Array(text.utf8)))
            return id
        }
    }

    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    func page(of file: ItemID, after place: String?, limit: Int) async throws -> RevisionsPage {
        try look { state in
            let items = Array(state.items.map(\.item).reversed().dropFirst(place.flatMap { Int($0) } ?? 0))
            let end = (place.flatMap { Int($0) } ?? 0) + limit
            return RevisionsPage(items: Array(items.prefix(limit)), next: items.count > limit ? String(end) : nil)
        }
    }

    func revision(_ id: String, of file: ItemID) async throws -> RevisionItem { try find(id).item }

    func beginning(of revision: String, of file: ItemID, most bytes: Int) async throws -> [UInt8] {
        Array(try find(revision).text.prefix(bytes))
    }

    func restore(_ revision: String, of file: ItemID) async throws {
        put(String(decoding: try find(revision).text, as: UTF8.self), from: "browser")
    }

    func content(of revision: String, of file: ItemID) async throws -> ContentPlace {
        .address("/" + (try find(revision).item.id))
    }

    private func find(_ id: String) throws -> (item: RevisionItem, text: [UInt8]) {
        try look { state in
            guard let found = state.items.first(where: { $0.item.id == id }) else {
                throw ClientFailure(.notFound, "The file has no such revision.")
            }
            return found
        }
    }

    private func look<Value>(_ body: (State) throws -> Value) throws -> Value {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(state)
        }
    }
}
