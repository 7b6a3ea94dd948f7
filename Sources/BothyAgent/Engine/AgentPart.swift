import BothyClient

/// Something that an agent looks after by itself. It can be started again after it was stopped.
package protocol AgentPart: Sendable {
    /// A stable word: `server`, `transfers`.
    var name: String { get }

    /// Begins, and returns: the work continues by itself.
    ///
    /// - Throws: what keeps it from beginning; it is told in the status, and begun again at the next look.
    func start() async throws

    /// Something on this device may have changed: work that a command left behind, or that is done.
    ///
    /// - Throws: what keeps it from looking; it is told in the status, and `start` is tried at the next look, which a part
    ///   that has begun takes as one more look.
    func look() async throws

    /// Ends in order; what is not done is left so that it can be gone on with. It is fine when it never began.
    func stop() async

    func status() async -> [AgentStatusLine]

    /// Lets go of one of its subjects, for a command that does the same itself.
    func lend(_ subject: String) async
    /// The command is done with it.
    func takeBack(_ subject: String) async
}

extension AgentPart {
    package func lend(_ subject: String) async {}
    package func takeBack(_ subject: String) async {}
}
