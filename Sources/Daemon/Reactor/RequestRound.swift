import Notation
import Protocol
import ZeroMQ

/// Requests that are read together and not yet performed. Their frames stand end to end, in memory
/// that is used again.
struct RequestRound: ~Copyable {
    private(set) var bytes = ByteBuffer()
    private(set) var requests: [ReceivedRequest] = []
    /// How many bytes of large ones are looked at.
    var large = LargeRequests()
    /// Where the frames of all requests stand in the bytes.
    private var frames: [Range<Int>] = []

    /// Begins a request; its frames follow.
    mutating func begin() {
        requests.append(ReceivedRequest(frames: frames.count..<frames.count))
    }

    /// Adds a frame to the last request. The first is the identity that the socket gives a peer.
    mutating func append(_ frame: UnsafeRawBufferPointer) {
        let start = bytes.count
        unsafe bytes.append(frame)
        frames.append(start..<bytes.count)
        let last = requests.count - 1
        requests[last].frames = requests[last].frames.lowerBound..<frames.count
    }

    /// Notes over which connection the last request came.
    mutating func note(descriptor: CInt, client: Int, handshake: Int) {
        requests[requests.count - 1].descriptor = descriptor
        requests[requests.count - 1].client = client
        requests[requests.count - 1].handshake = handshake
    }

    /// Adds the beginning of the last request's text, whose rest is dropped unread.
    mutating func appendBeginning(_ frame: UnsafeRawBufferPointer) {
        unsafe append(
            UnsafeRawBufferPointer(rebasing: frame.prefix(Limits.droppedRequestBytesMax)))
        requests[requests.count - 1].isDropped = true
    }

    /// Forgets the requests; keeps the memory of usual ones, and gives back what is beyond.
    mutating func removeAll() {
        if bytes.count > Limits.spareRequestBytesMax {
            bytes = ByteBuffer()
        } else {
            bytes.removeAll()
        }
        requests.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
    }

    /// The envelope of a request, and where its text stands: a message of the ROUTER socket is
    /// split at its first empty frame. Without one, or with one at the end, the request stands
    /// behind the identity. No text where the frames do not fit, or the envelope is beyond its
    /// bounds; then the answer goes to the sender alone.
    func split(_ request: ReceivedRequest) -> (Envelope, text: Range<Int>?) {
        let all = request.frames
        let (first, last) = (all.lowerBound + 1, all.upperBound - 1)
        // The shapes of a DEALER and of a REQ come often, and need no search.
        if all.count == 2 { return (envelope(of: request, hasDelimiter: false), frames[first]) }
        if all.count == 3, frames[first].isEmpty {
            return (envelope(of: request, hasDelimiter: true), frames[last])
        }
        guard let delimiter = all.dropFirst().first(where: { frames[$0].isEmpty }),
            delimiter < last
        else { return (envelope(of: request, hasDelimiter: false), nil) }
        let route = frames[first..<delimiter]
        let isWhole =
            delimiter == last - 1 && route.count < Limits.envelopeFramesMax
            && route.reduce(0) { $0 + $1.count } <= Limits.envelopeBytesMax
        return (
            envelope(
                of: request, route: isWhole ? route.map { bytes.array($0) } : [],
                hasDelimiter: true),
            isWhole ? frames[last] : nil
        )
    }

    private func envelope(
        of request: ReceivedRequest, route: [[UInt8]] = [], hasDelimiter: Bool
    ) -> Envelope {
        let identity = frames[request.frames.lowerBound]
        var envelope = unsafe bytes.withUnsafeBytes(identity) {
            unsafe Envelope(identity: $0, route: route, hasDelimiter: hasDelimiter)
        }
        envelope.descriptor = request.descriptor
        envelope.client = request.client
        return envelope
    }

    /// The last frame of a request, whatever it is.
    func lastFrame(of request: ReceivedRequest) -> [UInt8] {
        bytes.array(frames[request.frames.upperBound - 1])
    }
}

/// A request as it was read.
struct ReceivedRequest {
    /// Which of the frames of its round are its own.
    var frames: Range<Int>
    /// The descriptor of its connection; −1: unknown.
    var descriptor: CInt = -1
    /// The client's number; −1: it has shown no key, or nobody is limited.
    var client = -1
    /// The number of its connection's handshake; 0: unknown, or nobody is limited.
    var handshake = 0
    /// Whether only the beginning of its text was kept.
    var isDropped = false
}

extension Limits {
    /// Requests that are read together, before the subscriptions that came before them are.
    static let requestsAtOnceMax = 16
    /// Their bytes, but for the last of them: large ones take longer.
    static let requestBytesAtOnceMax = 64 * 1024
    /// Frames of a request that are kept: its identity, its envelope, the empty one, its text, and
    /// one that shows that there are too many.
    static let requestFramesMax = envelopeFramesMax + 3
    /// Bytes of requests that were read together up to which their memory is kept: those of a round
    /// with the largest. New memory in each round costs more than the copy.
    static let spareRequestBytesMax = 2 * roundBytesMax
}
