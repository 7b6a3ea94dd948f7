#if os(Linux)
    import Foundation
    import Testing

    @testable import BothySync

    /// However the kernel's events fall into reads, a move is told as one.
    @Suite struct WholeMovesTests {
        private func leaving(_ move: UInt32) -> InotifyRecord {
            InotifyRecord(watch: 1, mask: UInt32(IN_MOVED_FROM), cookie: move, name: Array("from \(move)".utf8))
        }
        private func arriving(_ move: UInt32) -> InotifyRecord {
            InotifyRecord(watch: 2, mask: UInt32(IN_MOVED_TO), cookie: move, name: Array("to \(move)".utf8))
        }
        private func closed(_ name: String) -> InotifyRecord {
            InotifyRecord(watch: 3, mask: UInt32(IN_CLOSE_WRITE), name: Array(name.utf8))
        }

        @Test func wholeMovesAreToldAtOnce() {
            var moves = WholeMoves()
            let read = [closed("a"), leaving(7), arriving(7), closed("b")]
            #expect(moves.take(read) == read)
            #expect(!moves.isWaiting && moves.giveUp().isEmpty)
        }

        @Test func aHalfWaitsForTheOther() {
            var moves = WholeMoves()
            #expect(moves.take([closed("a"), leaving(7)]) == [closed("a")])
            #expect(moves.isWaiting)
            #expect(moves.take([arriving(7), closed("b")]) == [leaving(7), arriving(7), closed("b")])
            #expect(!moves.isWaiting)
        }

        /// Another processor's events may be told between the two halves.
        @Test func whatIsToldBetweenTheHalvesWaitsToo() {
            var moves = WholeMoves()
            #expect(moves.take([leaving(7), closed("a"), leaving(8), arriving(8)]).isEmpty)
            #expect(moves.take([arriving(7)]) == [leaving(7), closed("a"), leaving(8), arriving(8), arriving(7)])
        }

        @Test func aHalfThatHasWaitedWaitsOnForAnotherMoveAroundIt() {
            var moves = WholeMoves()
            #expect(moves.take([leaving(7)]).isEmpty)
            #expect(moves.take([leaving(8), arriving(7)]).isEmpty)
            #expect(moves.take([arriving(8)]) == [leaving(7), leaving(8), arriving(7), arriving(8)])
        }

        @Test func whatWentOutsideIsToldWithTheNextReadOrWhenNoneComes() {
            var moves = WholeMoves()
            #expect(moves.take([leaving(7)]).isEmpty)
            #expect(moves.take([leaving(8)]) == [leaving(7)])
            #expect(moves.isWaiting)
            #expect(moves.giveUp() == [leaving(8)])
            #expect(!moves.isWaiting)
        }

        /// Moves that overlap, and reads that end wherever they like; no move is spread over more than two reads.
        @Test func nothingIsLostTurnedAroundOrTornApartByReads() {
            for seed in 0..<2_000 { look(at: UInt64(seed)) }
        }

        private func look(at seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let events = overlapping(&random)
            let cut = Int.random(in: 0...events.count, using: &random)
            var moves = WholeMoves()
            let told = [moves.take(Array(events[..<cut])), moves.take(Array(events[cut...])), moves.giveUp()]
            #expect(told.flatMap { $0 } == events)
            for records in told {
                let left = Set(records.filter(\.isLeaving).map(\.cookie))
                #expect(left == Set(records.filter(\.isArriving).map(\.cookie)), "seed \(seed), cut at \(cut)")
            }
        }

        private func overlapping(_ random: inout SeededGenerator) -> [InotifyRecord] {
            var events: [InotifyRecord] = []
            for move in 1...UInt32.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0...events.count, using: &random)
                if Bool.random(using: &random) { events.insert(closed("\(move)"), at: place) }
                let from = Int.random(in: 0...events.count, using: &random)
                events.insert(leaving(move), at: from)
                events.insert(arriving(move), at: Int.random(in: (from + 1)...events.count, using: &random))
            }
            return events
        }
    }
#endif
