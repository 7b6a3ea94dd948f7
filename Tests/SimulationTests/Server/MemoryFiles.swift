import BothyClient
import BothyContract
import Simulation

/// Files by their paths, and nothing that happens meanwhile: a drive by itself.
final class MemoryFiles: SimulatedFiles, Meanwhile, @unchecked Sendable {
    // Unchecked because each test awaits one thing at a time.
    var files: [String: [UInt8]] = [:]

    func source(_ path: String) throws(ClientFailure) -> UploadSource {
        guard let bytes = files[path] else { throw ClientFailure(.fileMissing, "“\(path)” is not there.") }
        return UploadSource(bytes: bytes, modifiedAt: Timestamp(seconds: 7), executable: false, inode: 1)
    }

    func arrive(_ bytes: [UInt8], at path: String, replacing: Bool) throws(ClientFailure) {
        if !replacing, files[path] != nil { throw ClientFailure(.destinationExists, "“\(path)” is there.") }
        files[path] = bytes
    }

    func beforeRequest() async throws {}
    func afterRequest() async throws {}
}
