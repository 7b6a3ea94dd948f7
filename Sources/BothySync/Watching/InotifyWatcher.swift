#if os(Linux)
    import BothyClient
    import Foundation
    import Synchronization

    /// Watches through inotify(7). Each folder needs a watch of its own.
    ///
    /// Files are told of when they are closed or renamed, not at each write: one that is still being written is left
    /// alone. After a queue that ran over, everything may have changed.
    package final class InotifyWatcher: FolderWatcher {
        package let marks: AsyncStream<Void>
        private let mark: AsyncStream<Void>.Continuation
        private let root: String
        private let descriptor: Int32
        /// Unsafe only by its type: a source may be used from any thread.
        private nonisolated(unsafe) let source: any DispatchSourceRead
        private let watches = Mutex(Watches())

        private struct Watches {
            var byInode = [UInt64: Int32]()
            var byWatch = [Int32: UInt64]()
            /// Folders that there was no room for.
            var unwatched = 0
            var news = FolderNews.nothing
        }

        private static let events = UInt32(
            IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)
        private static let buffer = 64 << 10

        /// - Parameter root: absolute.
        package convenience init(root: String) throws(ClientFailure) {
            try self.init(root: root, readingOn: DispatchQueue(label: "bothy.watcher"))
        }

        /// - Parameter queue: what the kernel tells is read on it.
        init(root: String, readingOn queue: DispatchQueue) throws(ClientFailure) {
            self.root = root
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: root, doing: "be watched") }
            (marks, mark) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.read() }
            source.setCancelHandler { [descriptor] in close(descriptor) }
            source.resume()
        }

        deinit { source.cancel() }

        package func stop() {
            source.cancel()
            mark.finish()
        }

        package func news() -> FolderNews {
            watches.withLock { watches in
                defer { watches.news = .nothing }
                return watches.news
            }
        }

        package func cover(_ folders: FoldersToWatch) -> WatchCoverage {
            watches.withLock { watches in
                var added = Set<UInt64>()
                switch folders {
                case .all(let tree): coverAll(tree, &watches, &added)
                case .new(let folders):
                    for (place, inode) in folders where watches.byInode[inode] == nil {
                        add(place, inode, &watches, &added)
                    }
                }
                return WatchCoverage(added: added, unwatched: watches.unwatched)
            }
        }

        private func coverAll(_ tree: LocalTree, _ watches: inout Watches, _ added: inout Set<UInt64>) {
            watches.unwatched = 0
            var folders = [(LocalTree.ID.root, Place.root)]
            var seen = Set<UInt64>()
            while let (node, place) = folders.popLast() {
                let inode = tree[node].stamp.inode
                seen.insert(inode)
                if watches.byInode[inode] == nil { add(place, inode, &watches, &added) }
                for child in tree.tree.children(of: node) where tree[child].kind == .folder {
                    folders.append((child, place.appending(tree.tree.name(of: child))))
                }
            }
            for (inode, watch) in watches.byInode where !seen.contains(inode) {
                inotify_rm_watch(descriptor, watch)
                watches.byInode[inode] = nil
                watches.byWatch[watch] = nil
            }
        }

        /// - Parameter inode: of what a look saw there.
        private func add(_ place: Place, _ inode: UInt64, _ watches: inout Watches, _ added: inout Set<UInt64>) {
            let path = place.isRoot ? root : "\(root)/\(place.text)"
            let watch = inotify_add_watch(
                descriptor, path, Self.events | UInt32(place.isRoot ? 0 : IN_DONT_FOLLOW))
            if watch >= 0 {
                // Another folder may have its place by now: that is the one which is watched.
                var status = stat()
                let isSeen = place.isRoot || lstat(path, &status) != 0 || UInt64(status.st_ino) == inode
                let inode = isSeen ? inode : UInt64(status.st_ino)
                watches.byInode[inode] = watch
                watches.byWatch[watch] = inode
                added.insert(inode)
            } else if ![ENOENT, ENOTDIR, EACCES].contains(errno) {
                // Of one that is gone, or that may not be read, a look says so itself.
                watches.unwatched += 1
            }
        }

        /// Empties the queue.
        private func read() {
            let space = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.buffer, alignment: 8)
            defer { space.deallocate() }
            var moves = WholeMoves()
            while true {
                let count = Foundation.read(descriptor, space.baseAddress, space.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    if moves.isWaiting, hasMoreSoon() { continue }
                    break
                }
                take(moves.take(InotifyRecord.all(in: UnsafeRawBufferPointer(rebasing: space[..<count]))))
            }
            take(moves.giveUp())
        }

        private func hasMoreSoon() -> Bool {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, Self.halfAMove) > 0 && waiting.revents & Int16(POLLIN) != 0
        }

        /// Milliseconds.
        private static let halfAMove: Int32 = 5

        func take(_ records: [InotifyRecord]) {
            let isNew = watches.withLock { watches in
                var news = FolderNews.nothing
                for record in records {
                    if record.isEnd {
                        forget(record.watch, &watches)
                    } else if record.isOverflow {
                        news.isEverything = true
                    } else if !record.name.elementsEqual(PrivateNames.folder.utf8),
                        let inode = watches.byWatch[record.watch]
                    {
                        news.note(record.nodeName, in: inode)
                    }
                }
                watches.news.formUnion(news)
                return news != .nothing
            }
            if isNew { mark.yield() }
        }

        private func forget(_ watch: Int32, _ watches: inout Watches) {
            if let inode = watches.byWatch.removeValue(forKey: watch), watches.byInode[inode] == watch {
                watches.byInode[inode] = nil
            }
        }

        /// How many folders this system lets one person watch.
        package static var limit: String? {
            let path = "/proc/sys/fs/inotify/max_user_watches"
            // It is only told, where it can be read.
            return (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
#endif
