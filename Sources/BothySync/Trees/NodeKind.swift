/// What stands at a place of a tree. Links, sockets and devices are listed as not synced, and are no nodes.
public enum NodeKind: String, Codable, Sendable {
    case file, folder
}
