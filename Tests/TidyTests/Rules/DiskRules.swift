/// Who touches the disk below the database: another pack driver must be able to stand where the filesystem's stands.
enum DiskRules {
    private static let calls = ["pread", "pwrite", "fallocate", "fdatasync"]
    private static let packs = "Sources/BothyServer/Packs/Filesystem/"

    /// The lock of the data folder holds its owner's process id; an import reads people's own files; a program that draws is given a
    /// file, and a film that it made is sent from one.
    private static let exceptions: Set = [
        "Sources/BothyServer/Serving/FolderLock.swift", "Sources/BothyServer/Backup/PlainFiles.swift",
        "Sources/BothyServer/Media/WorkFile.swift", "Sources/BothyServer/Media/Films/FilmFile.swift",
    ]

    static let packFiles = Rule.perLine(
        "in the server only Packs/Filesystem opens pack files",
        planted: [
            .init(
                path: "Sources/BothyServer/Content/ContentReader.swift",
                text: "let file = open(folder + \"/packs/0000.pack\", O_RDONLY)\n"),
            .init(path: "Sources/BothyServer/Jobs/Reclaim.swift", text: "let count = pread(pack, bytes, 4096, 0)\n"),
        ]
    ) { file, line in
        guard file.target == "BothyServer", !file.path.hasPrefix(packs), !exceptions.contains(file.path) else {
            return nil
        }
        if line.contains(".pack\"") { return "names a pack file" }
        guard calls.contains(where: line.contains) else { return nil }
        return line.firstMatch(of: #/(?:^|[^.\w])(pread|pwrite|pwritev|preadv|fallocate|fdatasync)\(/#)
            .map { "calls \($0.1), which is for pack files" }
    }

    /// Where a device's database is opened; and where one that is damaged is read for what it still holds.
    private static let openers: Set = [
        "Sources/BothyClient/Home/ClientDatabase.swift", "Sources/BothyClient/Replica/RescuedWork.swift",
    ]

    static let clientDatabases = Rule.perLine(
        "on a device one place opens the database",
        planted: [
            .init(
                path: "Sources/BothySync/Bindings/Tables/BindingStore.swift",
                text: "let pool = try DatabasePool(path: path)\n"),
            .init(path: "Sources/bothy/Doctor/HomeCheck.swift", text: "try DatabaseQueue(path: path).close()\n"),
        ]
    ) { file, line in
        guard file.path.hasPrefix("Sources/"), file.target != "BothyServer", !openers.contains(file.path) else {
            return nil
        }
        return line.contains("DatabasePool(") || line.contains("DatabaseQueue(")
            ? "opens a database of its own" : nil
    }
}
