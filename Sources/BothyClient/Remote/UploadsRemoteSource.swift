/// Upload sessions as the server tells them.
package struct UploadsRemoteSource: Sendable {
    private let network: NetworkDispatcher

    package init(network: NetworkDispatcher) { self.network = network }
}
