/// Content as the server serves it.
package struct ContentRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let files: FilesRemoteSource
    private let revisions: RevisionsRemoteSource

    package init(network: NetworkDispatcher, files: FilesRemoteSource, revisions: RevisionsRemoteSource) {
        self.network = network
        self.files = files
        self.revisions = revisions
    }
}
