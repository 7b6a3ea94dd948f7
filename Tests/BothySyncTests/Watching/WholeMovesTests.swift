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

        @Test func whatWentOutsideIsToldWithTheNextReadOrWhenNoneComes() {
            var moves = WholeMoves()
            #expect(moves.take([leaving(7)]).isEmpty)
            #expect(moves.take([leaving(8)]) == [leaving(7)])
            #expect(moves.isWaiting)
            #expect(moves.giveUp() == [leaving(8)])
            #expect(!moves.isWaiting)
        }

        /// Told at one time: what `take` returns goes out at once.
        @Test func nothingIsLostTurnedAroundOrTornApartByTwoReads() {
            var random = SystemRandomNumberGenerator()
            for _ in 0..<2_000 {
                var events: [InotifyRecord] = []
                for move in 1...UInt32.random(in: 1...8, using: &random) {
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: events.append(closed("\(move)"))
                    case 1: events += [leaving(move), closed("between"), arriving(move)]
                    default: events += [leaving(move), arriving(move)]
                    }
                }
                let cut = Int.random(in: 0...events.count, using: &random)
                var moves = WholeMoves()
                var told = [moves.take(Array(events[..<cut])), moves.take(Array(events[cut...]))]
                told.append(moves.giveUp())
                #expect(told.flatMap { $0 } == events)
                for records in told {
                    let left = records.filter(\.isLeaving).map(\.cookie)
                    #expect(left == records.filter(\.isArriving).map(\.cookie), "cut at \(cut)")
                }
            }
        }
    }
#endif
