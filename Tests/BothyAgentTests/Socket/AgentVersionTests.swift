import BothyAgent
import Testing

@Suite struct AgentVersionTests {
    @Test func releasesAreComparedByTheirNumbersThenByTheirBuild() {
        let ordered = [
            AgentVersion(release: "0.9.9", build: 500), AgentVersion(release: "0.10.0", build: 1),
            AgentVersion(release: "0.10.0", build: 2), AgentVersion(release: "1.0", build: 0),
            AgentVersion(release: "1.0.1", build: 0),
        ]
        #expect(ordered.shuffled().sorted() == ordered)
    }

    @Test func thisProcessKnowsItsBuild() {
        #expect(AgentVersion.ofThisProcess().build > 0)
        #expect(AgentVersion.ofThisProcess() == AgentVersion.ofThisProcess())
    }
}
