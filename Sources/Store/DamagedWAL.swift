import Glibc

/// The write-ahead log of an unclean shutdown. SQLite takes the log to end at the first damaged
/// frame, and does not say whether commits follow it.
///
/// Its layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
struct DamagedWAL {
    let path: String

    private static var headerBytes: Int { 32 }
    private static var frameHeaderBytes: Int { 24 }

    /// Keeps a copy of a log with commits behind its valid frames; returns the warning, or nil.
    func keepIfDamaged(validFrames: Int, time: Int) -> String? {
        guard validFrames >= 0, hasCommits(behind: validFrames) else { return nil }
        let copy =
            Quarantine.copy(path, at: time).map { "it is kept as \($0)" } ?? "it cannot be kept"
        return "\(path): damaged behind frame \(validFrames), so that acknowledged changes may be "
            + "lost; \(copy)"
    }

    private func hasCommits(behind validFrames: Int) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let header = read(file, Self.headerBytes, at: 0),
            read(file, Self.frameHeaderBytes, at: Self.headerBytes) != nil
        else { return false }
        let isBig = word(header, at: 0) & 1 == 1
        guard
            checksum(header.prefix(24), isBig, after: (0, 0)) == words(header, at: 24)
        else { return true }
        let pageBytes = Int(word(header, at: 8))
        let stride = Self.frameHeaderBytes + pageBytes
        var index = max(1, validFrames)
        while let former = read(file, Self.frameHeaderBytes, at: place(index - 1, stride)),
            let frame = read(file, stride, at: place(index, stride))
        {
            // It belongs to this log and no earlier one, ends a commit, and is whole: so it was
            // written after all frames before it.
            if words(frame, at: 8) == words(header, at: 16), word(frame, at: 4) > 0 {
                let content = frame.prefix(8) + frame.dropFirst(Self.frameHeaderBytes)
                let sum = checksum(content, isBig, after: words(former, at: 16))
                if sum == words(frame, at: 16) { return true }
            }
            index += 1
        }
        return false
    }

    private func place(_ index: Int, _ stride: Int) -> Int { Self.headerBytes + index * stride }

    private func checksum(
        _ bytes: ArraySlice<UInt8>, _ isBig: Bool, after sums: (UInt32, UInt32)
    ) -> (UInt32, UInt32) {
        let bytes = Array(bytes)
        var sums = sums
        for place in stride(from: 0, to: bytes.count, by: 8) {
            let (first, second) = words(bytes, at: place)
            sums.0 &+= (isBig ? first : first.byteSwapped) &+ sums.1
            sums.1 &+= (isBig ? second : second.byteSwapped) &+ sums.0
        }
        return sums
    }

    private func words(_ bytes: [UInt8], at place: Int) -> (UInt32, UInt32) {
        (word(bytes, at: place), word(bytes, at: place + 4))
    }

    private func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads `count` bytes from a place; nil if there are fewer.
    private func read(_ file: CInt, _ count: Int, at place: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, count, place)
        }
        return found == count ? bytes : nil
    }
}
