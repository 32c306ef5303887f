/// How a session's marks stand in the database, so that an id costs no row of its own.
///
/// The places of the ring are divided into chunks of 32. A row of `seen` has a chunk's hashes end
/// to end, 16 bytes each, the first place first; 16 zero bytes are a place without a mark. The
/// session's own `recent` has the chunk that is being filled: a byte with its number, a byte
/// without meaning, then the hashes in the same way. It wins over a row of `seen` of that number,
/// which is a lap older. New marks are laid over what is stored, so that they may come twice.
struct SeenRing {
    /// Places in a chunk.
    static let chunkPlaces = 32
    /// Places of all chunks that a byte can number.
    static let placesMax = 256 * chunkPlaces

    /// Marks side by side within one chunk.
    struct Run: Hashable {
        var chunk: Int
        /// The place of the first one in its chunk.
        var first: Int
        var hashes: [UInt128]

        var end: Int { first + hashes.count }
        var bytes: [UInt8] { hashes.flatMap(\.bytes) }
    }

    /// The last one is of the chunk that is being filled.
    private var runs: [Run] = []

    /// Adds a mark; false: it leaves a gap in its chunk, and must come in a later statement.
    ///
    /// A ring that comes round to the chunk in whose midst it began has two runs of that chunk: the
    /// older one's places are behind the newer one's, and they become one when they meet.
    mutating func add(_ mark: SeenMark) -> Bool {
        precondition((0..<Self.placesMax).contains(mark.place), "a mark beyond every ring")
        let (chunk, place) = mark.place.quotientAndRemainder(dividingBy: Self.chunkPlaces)
        let index = runs.lastIndex {
            $0.chunk == chunk && $0.first <= place && place <= $0.end
        }
        guard let index else {
            let others = runs.lazy.filter { $0.chunk == chunk }
            guard others.isEmpty || place == 0 && others.allSatisfy({ $0.end == Self.chunkPlaces })
            else { return false }
            runs.append(Run(chunk: chunk, first: place, hashes: [mark.hash]))
            join()
            return true
        }
        var run = runs.remove(at: index)
        if place == run.end {
            run.hashes.append(mark.hash)
        } else {
            run.hashes[place - run.first] = mark.hash
        }
        runs.append(run)
        join()
        return true
    }

    /// Has the last run take in the older one of its chunk that begins where it ends.
    private mutating func join() {
        guard let last = runs.last, last.end < Self.chunkPlaces,
            let older = runs.firstIndex(where: { $0.chunk == last.chunk && $0.first == last.end })
        else { return }
        runs[runs.count - 1].hashes += runs[older].hashes
        runs.remove(at: older)
    }

    /// Adds all marks or none; false: one statement cannot write them with those that are there.
    mutating func add(all marks: some Sequence<SeenMark>) -> Bool {
        var ring = self
        for mark in marks where !ring.add(mark) { return false }
        // A statement writes a row of `seen` once.
        let chunks = ring.chunks.map(\.chunk)
        guard Set(chunks).count == chunks.count else { return false }
        self = ring
        return true
    }

    /// The chunks for `seen`: all but the one that is being filled.
    var chunks: [Run] {
        runs.last.map { $0.end < Self.chunkPlaces } == true ? runs.dropLast() : runs
    }

    /// The bytes for `recent`: chunk, first place, hashes; nothing without new marks.
    var recent: [UInt8] {
        guard let last = runs.last else { return [] }
        guard last.end < Self.chunkPlaces else { return [UInt8(last.chunk), 0] }
        return [UInt8(last.chunk), UInt8(last.first)] + last.bytes
    }

    /// Whole chunks of marks in any order, for a session of which nothing is stored yet.
    static func chunks(of marks: [SeenMark]) -> [(chunk: Int, bytes: [UInt8])] {
        var chunks: [Int: [UInt128]] = [:]
        for mark in marks {
            let (chunk, place) = mark.place.quotientAndRemainder(dividingBy: chunkPlaces)
            let holes = repeatElement(0 as UInt128, count: chunkPlaces)
            chunks[chunk, default: Array(holes)][place] = mark.hash
        }
        return chunks.map { ($0.key, $0.value.flatMap(\.bytes)) }
    }

    /// The marks of a session, by `recent` and by rows of `seen`: two bytes with a chunk's number,
    /// then its hashes. Nil: they contradict themselves.
    static func marks(recent: [UInt8], chunks: [[UInt8]]) -> [SeenMark]? {
        var hashes: [Int: ArraySlice<UInt8>] = [:]
        for chunk in chunks {
            guard chunk.count >= 2 else { return nil }
            hashes[Int(chunk[0]) << 8 | Int(chunk[1])] = chunk.dropFirst(2)
        }
        var marks: [Int: UInt128] = [:]
        let former = hashes.map { (chunk: $0.key, bytes: $0.value) }
        let newest = recent.first.map { (chunk: Int($0), bytes: recent.dropFirst(2)) }
        for (chunk, bytes) in former + (newest.map { [$0] } ?? []) {
            guard bytes.count % 16 == 0, bytes.count <= 16 * chunkPlaces else { return nil }
            var rest = bytes
            for place in 0..<bytes.count / 16 {
                let hash = UInt128(bytes: Array(rest.prefix(16))) ?? 0
                rest = rest.dropFirst(16)
                if hash != 0 { marks[chunk * chunkPlaces + place] = hash }
            }
        }
        return marks.map { SeenMark(place: $0.key, hash: $0.value) }
            .sorted { $0.place < $1.place }
    }
}
