import BothyClient
import BothyContract
import Foundation

/// Tells the command that started an agent how it went: through a pipe, once.
package final class AgentReadiness: Sendable {
    private let descriptor: Int32?

    /// - Parameter descriptor: the pipe's end; nil when a person started the agent.
    package init(descriptor: Int32?) {
        self.descriptor = descriptor
        if let descriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    package func listening() { tell(AgentLauncher.ready) }

    package func failed(_ failure: ClientFailure) {
        // A failure that does not encode is one without words: the pipe's end says that it failed.
        tell((try? WireCoding.encode(failure)) ?? Data())
    }

    private func tell(_ word: Data) {
        guard let descriptor else { return }
        word.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
