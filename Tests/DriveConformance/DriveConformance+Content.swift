import BothyClient
import BothyContract

extension DriveConformance {
    static let contentChecks = [
        ConformanceCheck(name: "a file in which something else was found before is sent as it is") { test in
            for size in [900, 300_000] {
                let other = try await test.put("other \(size)", [UInt8](repeating: 9, count: size), request: "o\(size)")
                let uploads = try (0..<3).map { number in
                    let name = "\(size)-\(number)"
                    let path = try test.write(name, [UInt8](repeating: 7, count: size))
                    var upload = DriveUpload(requestId: name, localPath: path, name: name, parentId: File.rootId)
                    if let hash = other.checksum, let facts = try SystemDisk().facts(of: path) {
                        var pin = SourcePin(facts)
                        if number == 1 { pin.size += 1 }
                        if number < 2 { upload.hashed = HashedSource(hash: hash, pin: pin) }
                    }
                    return upload
                }
                let files = try await test.drive.upload(uploads).map { try $0.get() }
                try require(Set(files.map(\.checksum)).count == 1 && files[0].checksum != other.checksum, "\(files)")
                try require(files.allSatisfy { $0.size == Int64(size) }, "\(files)")
            }
        },
        ConformanceCheck(name: "what is sent is fetched again, byte by byte") { test in
            for (number, size) in [0, 1, 5000, 6 << 20].enumerated() {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
                let file = try await test.put("f\(number)", bytes, request: "r\(number)")
                try require(file.size == Int64(size), "\(file)")
                let place = test.place("out\(number)")
                let got = try await test.other.download(
                    DriveDownload(fileId: file.id, name: file.name, destination: place))
                try require(try test.read(place) == bytes, "\(size) bytes came back otherwise")
                try require(got.checksum == file.checksum && got.size == file.size, "\(got) of \(file)")
            }
        },
        ConformanceCheck(name: "what is not what it must be makes neither a file nor a version") { test in
            for size in [1, 200_000, 6 << 20] {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }
                let file = try await test.put("\(size)", bytes, request: "r\(size)")
                let count = try await test.everything().count
                var damaged = bytes
                damaged[size / 2] ^= 1
                let path = try test.write("damaged", damaged)
                var upload = DriveUpload(
                    requestId: "new\(size)", localPath: path, name: "new\(size)", parentId: File.rootId,
                    checksum: file.checksum)
                for fileId in [nil, file.id] {
                    upload.requestId = "\(fileId == nil ? "new" : "over")\(size)"
                    upload.fileId = fileId
                    let refused = upload
                    try await requireFailure(.sourceDamaged, of: "\(size) bytes, one of them another") {
                        _ = try await test.drive.upload(refused)
                    }
                }
                try require(try await test.drive.file(file.id).version == file.version, "it has a new version")
                try require(try await test.everything().count == count, "there is a file more")
                upload.localPath = try test.write("whole", bytes)
                (upload.requestId, upload.fileId) = ("whole\(size)", nil)
                let whole = try await test.drive.upload(upload)
                try require(whole.checksum == file.checksum, "\(whole)")
            }
        },
        ConformanceCheck(name: "a new revision keeps the file's id, and the old content by its revision") { test in
            let file = try await test.put("a", [1], request: "r1")
            let newer = try await test.put("a", [2, 2], request: "r2", of: file.id, base: file.headRevisionId)
            try require(newer.id == file.id && newer.version > file.version, "\(file) and \(newer)")
            try require(newer.headRevisionId != file.headRevisionId, "the head is the old one")
            guard test.drive.capabilities.contains(.revisions) else { return }
            let place = test.place("old")
            _ = try await test.drive.download(
                DriveDownload(fileId: file.id, revisionId: file.headRevisionId, name: "a", destination: place))
            try require(try test.read(place) == [1], "the old content is another one")
        },
        ConformanceCheck(name: "an edit of an old revision is refused, and may be sent as a file beside") { test in
            let file = try await test.put("a.txt", [1], request: "r1")
            _ = try await test.put("a.txt", [2], request: "r2", of: file.id, base: file.headRevisionId)
            try await requireFailure(.revisionConflict, of: "an edit of an old revision") {
                _ = try await test.put("a.txt", [3], request: "r3", of: file.id, base: file.headRevisionId)
            }
            let beside = try await test.put("a.txt", [3], request: "r4", conflict: .fork)
            try require(beside.id != file.id && beside.name == "a (1).txt", "\(beside)")
            try require(try await test.drive.file(file.id).size == 1, "the file itself changed")
        },
        ConformanceCheck(name: "a taken name refuses a new file, or gives it a new revision where that is asked for") {
            test in
            let file = try await test.put("a", [1], request: "r1")
            try await requireFailure(.nameConflict, of: "a taken name") {
                _ = try await test.put("a", [2], request: "r2")
            }
            let newer = try await test.put("a", [2, 3], request: "r3", conflict: .overwrite)
            try require(newer.id == file.id && newer.size == 2, "\(newer)")
        },
        ConformanceCheck(name: "a file in the place of a download stays unless it may be replaced") { test in
            let file = try await test.put("a", [1], request: "r1")
            let place = try test.write("mine", [9])
            try await requireFailure(.destinationExists, of: "a taken place") {
                _ = try await test.drive.download(DriveDownload(fileId: file.id, name: "a", destination: place))
            }
            try require(try test.read(place) == [9], "it was replaced all the same")
            _ = try await test.drive.download(
                DriveDownload(fileId: file.id, name: "a", destination: place, replacing: true))
            try require(try test.read(place) == [1], "it was not replaced")
        },
    ]
}
