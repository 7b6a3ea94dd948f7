#if os(Linux)
    import Foundation

    /// One event as inotify(7) writes it: which watch, what, and the name in the watched folder that it is about.
    struct InotifyRecord: Equatable {
        /// -1 where the kernel's queue ran over.
        var watch: Int32
        var mask: UInt32
        /// The same in both halves of a move, and 0 in everything else.
        var cookie: UInt32 = 0
        /// Empty where it is about the folder itself.
        var name: [UInt8]

        /// Nil where it is about the folder itself, or has a name that is no text.
        var nodeName: NodeName? {
            name.isEmpty ? nil : String(validating: name, as: UTF8.self).map { NodeName($0) }
        }

        /// The watch is gone, with its folder or by our own doing.
        var isEnd: Bool { mask & UInt32(IN_IGNORED) != 0 }
        /// Events were lost.
        var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

        /// The first half of a move: where it went is told next, unless that is outside.
        var isLeaving: Bool { mask & UInt32(IN_MOVED_FROM) != 0 }
        /// The other half, or what comes from outside.
        var isArriving: Bool { mask & UInt32(IN_MOVED_TO) != 0 }

        /// Those that one read brought: it brings whole ones alone.
        static func all(in bytes: UnsafeRawBufferPointer) -> [InotifyRecord] {
            var records = [InotifyRecord]()
            var offset = 0
            let head = MemoryLayout<inotify_event>.size
            while offset + head <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                // The name is filled up with zeros.
                let name = bytes[(offset + head)...].prefix(Int(event.len)).prefix { $0 != 0 }
                records.append(
                    InotifyRecord(watch: event.wd, mask: event.mask, cookie: event.cookie, name: Array(name)))
                offset += head + Int(event.len)
            }
            return records
        }
    }
#endif
