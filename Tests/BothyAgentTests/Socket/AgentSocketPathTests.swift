import BothyAgent
import Testing

@Suite struct AgentSocketPathTests {
    @Test func itLiesInAFolderOfItsOwnBelowTheHome() {
        #expect(AgentSocketPath.inside("/home/ann/.local/share/bothy") == "/home/ann/.local/share/bothy/agent/socket")
    }
}
