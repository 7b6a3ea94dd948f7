/// One life of one server's data: a new data folder begins one, and so does each restore from a backup.
struct ServerLife: Equatable, Sendable {
    /// The server's own name, made at its first start.
    let server: String
    let epoch: Int64

    static func read(_ connection: any SQLConnection) throws -> ServerLife {
        ServerLife(
            server: try ServerIdentity.issuer(connection) ?? "none", epoch: try ServerEpoch.read(connection))
    }

    /// As a backup's marker says it.
    var line: String { "server \(server), epoch \(epoch)" }
}
