#if os(Linux)
    import BothyClient
    import BothyContract
    import Foundation
    import Testing

    @testable import BothySync

    /// What the kernel tells of a folder, by itself.
    @Suite(.timeLimit(.minutes(10))) struct InotifyWatcherTests {
        let folder: TemporaryFolder
        let watcher: InotifyWatcher

        init() throws {
            folder = try TemporaryFolder()
            watcher = try InotifyWatcher(root: folder.path)
        }

        private func inode(_ name: String = "") throws -> UInt64 {
            var status = stat()
            try #require(lstat(name.isEmpty ? folder.path : folder.file(name), &status) == 0)
            return UInt64(status.st_ino)
        }

        /// The tree as a scan would hand it over, of these folders.
        private func tree(_ folders: String...) throws -> LocalTree {
            var tree = LocalTree(root: LocalFacts(kind: .folder, stamp: LocalStamp(inode: try inode())))
            for name in folders {
                tree.put(
                    LocalFacts(kind: .folder, stamp: LocalStamp(inode: try inode(name))), at: Place(text: name))
            }
            return tree
        }

        /// All that was told until a folder is named.
        private func told(until inode: UInt64) async -> FolderNews {
            var all = watcher.news()
            if all.folders[inode] != nil { return all }
            for await _ in watcher.marks {
                all.formUnion(watcher.news())
                if all.folders[inode] != nil { break }
            }
            return all
        }

        @Test func aFileThatIsClosedIsToldByTheFolderThatItIsIn() async throws {
            try folder.makeFolder("a/b")
            let coverage = watcher.cover(.all(try tree("a", "a/b")))
            #expect(coverage == WatchCoverage(added: [try inode(), try inode("a"), try inode("a/b")]))
            try folder.write("a/b/file", "1")
            try folder.makeFolder("a/after")
            let told = await told(until: try inode("a"))
            #expect(told.folders == [try inode("a/b"): .some(["file"]), try inode("a"): .some(["after"])])
            #expect(watcher.news() == .nothing, "what was read is not told again")
        }

        @Test func aFileThatIsStillBeingWrittenIsNotTold() async throws {
            try folder.makeFolder("quiet")
            try folder.makeFolder("loud")
            try folder.write("quiet/file", "1")
            _ = watcher.cover(.all(try tree("quiet", "loud")))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("quiet/file")))
            try file.write(contentsOf: Data("22".utf8))
            try folder.write("loud/file", "1")
            #expect(Set(await told(until: try inode("loud")).folders.keys) == [try inode("loud")])
            try file.close()
            #expect(await told(until: try inode("quiet")).folders[try inode("quiet")] != nil)
        }

        /// Between the look and the watch: each was deaf until everything was looked at again.
        @Test func foldersThatChangePlacesBeforeTheyAreWatchedAreBothHeard() async throws {
            try folder.makeFolder("a")
            try folder.makeFolder("b")
            let seen = try tree("a")
            try FileManager.default.moveItem(atPath: folder.file("a"), toPath: folder.file("c"))
            try FileManager.default.moveItem(atPath: folder.file("b"), toPath: folder.file("a"))
            _ = watcher.cover(.all(seen))
            _ = watcher.cover(.all(try tree("a", "c")))
            for name in ["a", "c"] {
                try folder.write("\(name)/file", "1")
                #expect(await told(until: try inode(name)).folders[try inode(name)] == .some(["file"]))
            }
        }

        @Test func aMoveIsToldOfBothFolders() async throws {
            try folder.makeFolder("from")
            try folder.makeFolder("to")
            try folder.write("from/file", "1")
            _ = watcher.cover(.all(try tree("from", "to")))
            try FileManager.default.moveItem(atPath: folder.file("from/file"), toPath: folder.file("to/file"))
            #expect(Set(await told(until: try inode("to")).folders.keys) == [try inode("from"), try inode("to")])
        }

        @Test func whatIsDeletedAndWhatIsMadeExecutableIsTold() async throws {
            for name in ["gone", "mode"] {
                try folder.makeFolder(name)
                try folder.write("\(name)/file", "1")
            }
            _ = watcher.cover(.all(try tree("gone", "mode")))
            try FileManager.default.removeItem(atPath: folder.file("gone/file"))
            _ = await told(until: try inode("gone"))
            #expect(chmod(folder.file("mode/file"), 0o755) == 0)
            #expect(Set(await told(until: try inode("mode")).folders.keys) == [try inode("mode")])
        }

        @Test func aNewFolderIsToldByTheOneAboveAndWatchedOnceItIsCovered() async throws {
            #expect(watcher.cover(.all(try tree())).added == [try inode()])
            try folder.makeFolder("new")
            _ = await told(until: try inode())
            let new = FoldersToWatch.new([(place: Place.root.appending("new"), inode: try inode("new"))])
            #expect(watcher.cover(new).added == [try inode("new")])
            #expect(watcher.cover(new).added == [], "it is watched already")
            try folder.write("new/file", "1")
            #expect(await told(until: try inode("new")).folders[try inode("new")] != nil)
        }

        /// A folder that is named with all others is no longer watched once it is not.
        @Test func whatIsNotAmongAllIsWatchedNoMore() async throws {
            try folder.makeFolder("in")
            try folder.makeFolder("out")
            _ = watcher.cover(.all(try tree("in", "out")))
            _ = watcher.cover(.all(try tree("in")))
            try folder.write("out/file", "1")
            try folder.write("in/file", "1")
            #expect(Set(await told(until: try inode("in")).folders.keys) == [try inode("in")])
            #expect(watcher.cover(.all(try tree("in", "out"))).added == [try inode("out")])
        }

        @Test func aFolderThatWentIsForgottenAndWatchedAgainWhenItComesBack() async throws {
            try folder.makeFolder("a")
            _ = watcher.cover(.all(try tree("a")))
            try FileManager.default.removeItem(atPath: folder.file("a"))
            try folder.makeFolder("a")
            // It may have its inode again, and the end of the old watch is told in its own time.
            let again = FoldersToWatch.new([(place: Place.root.appending("a"), inode: try inode("a"))])
            while watcher.cover(again).added.isEmpty { await Task.yield() }
            try folder.write("a/file", "1")
            #expect(await told(until: try inode("a")).folders[try inode("a")] != nil)
        }

        @Test func itsOwnFolderIsNotTold() async throws {
            try folder.makeFolder("loud")
            _ = watcher.cover(.all(try tree("loud")))
            try folder.makeFolder(PrivateNames.folder)
            try folder.write("loud/file", "1")
            #expect(Set(await told(until: try inode("loud")).folders.keys) == [try inode("loud")])
        }

        @Test func afterAQueueThatRanOverAnythingMayHaveChanged() async {
            watcher.take([InotifyRecord(watch: -1, mask: UInt32(IN_Q_OVERFLOW), name: [])])
            var marks = watcher.marks.makeAsyncIterator()
            await marks.next()
            #expect(watcher.news() == .everything)
            #expect(watcher.news() == .nothing)
        }

        /// More happens than the kernel keeps for a reader that does not come to read.
        @Test func whatTheKernelHadNoRoomToTellIsFoundByLookingAtEverything() async throws {
            let said = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            let most = try #require(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)))
            let queue = DispatchQueue(label: "slow")
            let watcher = try InotifyWatcher(root: folder.path, readingOn: queue)
            try folder.makeFolder("a")
            try folder.makeFolder("b")
            try folder.write("a/1", "1")
            _ = watcher.cover(.all(try tree("a", "b")))
            let (one, other) = (folder.file("a/1"), folder.file("a/2"))
            queue.suspend()
            // Two events each, none of them like the one before, which the kernel would take for one.
            for turn in 0...(most / 2) { rename(turn % 2 == 0 ? one : other, turn % 2 == 0 ? other : one) }
            mkdir(folder.file("b/late"), 0o755)
            queue.resume()
            var told = FolderNews.nothing
            for await _ in watcher.marks {
                told.formUnion(watcher.news())
                if told.isEverything { break }
            }
            #expect(told.folders[try inode("b")] == nil, "the last of it was never told")
            var scan = try FolderScan(
                SystemFolderDisk(path: folder.path), rules: .none, synced: SyncedTree(rootId: ""), previous: nil,
                now: SystemClock().now())
            let seen = try scan.run().local
            #expect(seen.node(at: "b/late") != nil)
            #expect(seen.node(at: most / 2 % 2 == 0 ? "a/2" : "a/1") != nil)
        }

        /// inotify takes paths, and the kernel takes none of more than 4,096 bytes.
        @Test func whatLiesTooDeepToBeWatchedIsCounted() throws {
            let names = (0..<20).map { _ in String(repeating: "d", count: 250) }
            var here = open(folder.path, O_RDONLY | O_DIRECTORY)
            var tree = try tree()
            var place = Place.root
            for name in names {
                try #require(mkdirat(here, name, 0o755) == 0)
                let next = openat(here, name, O_RDONLY | O_DIRECTORY)
                close(here)
                here = next
                var status = stat()
                try #require(fstat(here, &status) == 0)
                place = place.appending(NodeName(name))
                tree.put(LocalFacts(kind: .folder, stamp: LocalStamp(inode: UInt64(status.st_ino))), at: place)
            }
            close(here)
            let coverage = watcher.cover(.all(tree))
            #expect(coverage.unwatched > 0 && coverage.added.count + coverage.unwatched == names.count + 1)
        }

        @Test func aStopEndsTheMarks() async {
            watcher.stop()
            var marks = watcher.marks.makeAsyncIterator()
            #expect(await marks.next() == nil)
        }
    }

    /// Events as the kernel lays them out.
    @Suite struct InotifyRecordTests {
        private func bytes(_ watch: Int32, _ mask: UInt32, _ name: String, filledTo length: Int) -> [UInt8] {
            var event = inotify_event()
            (event.wd, event.mask, event.len) = (watch, mask, UInt32(length))
            let head = withUnsafeBytes(of: event) { Array($0.prefix(MemoryLayout<inotify_event>.size)) }
            return head + Array(name.utf8) + [UInt8](repeating: 0, count: length - name.utf8.count)
        }

        @Test func severalInOneReadAreToldApart() {
            let read =
                bytes(3, UInt32(IN_CREATE), "a.txt", filledTo: 16) + bytes(4, UInt32(IN_DELETE_SELF), "", filledTo: 0)
                + bytes(5, UInt32(IN_IGNORED), "", filledTo: 0) + bytes(-1, UInt32(IN_Q_OVERFLOW), "", filledTo: 0)
            let records = read.withUnsafeBytes { InotifyRecord.all(in: $0) }
            #expect(records.map(\.watch) == [3, 4, 5, -1])
            #expect(records.map(\.name) == [Array("a.txt".utf8), [], [], []])
            #expect(records.map(\.isEnd) == [false, false, true, false])
            #expect(records.map(\.isOverflow) == [false, false, false, true])
        }
    }
#endif
