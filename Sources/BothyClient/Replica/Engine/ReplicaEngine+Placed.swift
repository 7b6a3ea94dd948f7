import BothyContract

/// An operation, and where it was done as things are shown now.
public struct PlacedOperation: Sendable {
    public var operation: JournalOperation
    /// What it makes or moves, under the name that it gives, whatever was done to that later; nil where that is not shown.
    public var destination: RemotePath?
    /// Where it takes its subject from, if it moves or renames it, and the folder is still shown.
    public var origin: RemotePath?
}

/// Where operations were done.
extension ReplicaEngine {
    /// - Returns: all of one moment, in their order: however many they are, what waits is laid over what is known once.
    public func placed(_ operations: [JournalOperation]) async throws -> [PlacedOperation] {
        guard !operations.isEmpty else { return [] }
        return try await read { view in
            try operations.map { operation in
                PlacedOperation(
                    operation: operation, destination: try view.destination(of: operation),
                    origin: try view.origin(of: operation))
            }
        }
    }
}

extension ReplicaView {
    fileprivate func destination(of operation: JournalOperation) throws -> RemotePath? {
        let now = try path(of: operation.subject)
        switch operation.action {
        case .upload(let parent, let name, _, _), .createFolder(let parent, let name):
            return try path(of: parent)?.appending(name) ?? now
        case .move(let parent, let name):
            guard let name = name ?? now?.name else { return now }
            return try path(of: parent)?.appending(name) ?? now
        default: return now
        }
    }

    fileprivate func origin(of operation: JournalOperation) throws -> RemotePath? {
        guard let origin = operation.origin else { return nil }
        return try path(of: origin.parent)?.appending(origin.name)
    }
}
