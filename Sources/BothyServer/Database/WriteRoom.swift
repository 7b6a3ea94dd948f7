/// What room on the disk a transaction may take.
package enum WriteRoom: Sendable {
    /// For all that people add or change: refused while less is free than the server keeps free.
    case shared
    /// For what gives room back, lets a person in, or keeps the server going: deleting, signing in, the server's own jobs. Without it a
    /// full disk would lock out those who could make room.
    case reserve
}
