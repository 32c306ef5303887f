import Glibc
import Testing
import ZeroMQ

/// A path that has room for five bytes more.
private let longPath = "/" + String(repeating: "x", count: 101)

@Suite struct EndpointTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:7411", true), ("tcp://127.0.0.1:*", true), ("tcp://*:0", true),
        ("tcp://[::1]:65535", true), ("ipc:///tmp/x", true), ("tcp://127.0.0.1:65536", false),
        ("tcp://127.0.0.1:99999", false), ("tcp://127.0.0.1:-1", false),
        ("tcp://127.0.0.1:", false), ("tcp://127.0.0.1", false), ("tcp://", false),
        ("ipc://", false), ("inproc://x", false), ("7411", false), ("", false),
    ])
    func endpointsThatLibzmqWouldMisread(endpoint: String, isGood: Bool) {
        #expect((Endpoint.flaw(endpoint) == nil) == isGood)
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:7411", 7_411), ("tcp://[::1]:65535", 65_535), ("tcp://*:0", 0),
        ("tcp://127.0.0.1:*", nil), ("tcp://127.0.0.1", nil), ("ipc:///tmp/x:7411", nil),
        ("", nil),
    ])
    func onlyANumberBehindATCPAddressIsAPort(endpoint: String, port: Int?) {
        #expect(Endpoint.tcpPort(of: endpoint) == port)
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:7411", "tcp://127.0.0.1:7414"), ("tcp://[::1]:7411", "tcp://[::1]:7414"),
        ("tcp://127.0.0.1:7421", "tcp://127.0.0.1:*"), ("tcp://127.0.0.1:*", "tcp://127.0.0.1:*"),
        ("tcp://*:7411", "tcp://*:7414"), ("ipc://*", "ipc://*"), ("ipc://events", "ipc://push"),
        ("ipc:///run/gestured/events", "ipc:///run/gestured/push"),
        ("ipc:///tmp/a.sock", "ipc:///tmp/a.sock-push"), ("ipc://@name", "ipc://@name-push"),
        ("ipc:///run/events/e", "ipc:///run/events/e-push"),
        ("ipc://\(longPath)", "ipc://\(longPath)-push"), ("ipc://\(longPath)x", nil),
    ])
    func thePlaceOfPushesFollowsFromThatOfEvents(endpoint: String, place: String?) {
        #expect(Endpoint.forPushes(beside: endpoint) == place)
    }

    /// libzmq takes it modulo 65,536.
    @Test func aPortBeyondTheLastIsNoOther() throws {
        let context = try Context()
        let socket = try Socket(.sub, in: context)
        let words = "tcp://127.0.0.1:73411: the port must be * or a number from 0 to 65535"
        do throws(ZeroMQError) {
            try socket.bind("tcp://127.0.0.1:73411")
            Issue.record("it is bound")
        } catch {
            #expect(error.description == "zmq_bind \(words)")
        }
        do throws(ZeroMQError) {
            try socket.connect("tcp://127.0.0.1:73411")
            Issue.record("it is connected")
        } catch {
            #expect(error.description == "zmq_connect \(words)")
        }
    }

    @Test func aPathThatNoSocketCanHaveCostsNoDescriptor() {
        let before = descriptorCount
        for _ in 0..<500 {
            #expect(!Endpoint.isListenedTo("ipc:///" + String(repeating: "x", count: 200)))
        }
        // Other tests open some meanwhile.
        #expect(descriptorCount - before < 400)
    }

    private var descriptorCount: Int {
        (0..<4_096 as Range<Int32>).count { fcntl($0, F_GETFD) >= 0 }
    }

    @Test func aListenerAtAFileIsFound() throws {
        let path = endpoint("ipc")
        defer { removeFile(of: path) }
        #expect(!Endpoint.isListenedTo(path), "nothing is there")
        let context = try Context()
        do {
            let socket = try Socket(.sub, in: context)
            try socket.bind(path)
            #expect(Endpoint.isListenedTo(path))
            try socket.unbind(path)
        }
        let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(stale) }
        removeFile(of: path)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.dropFirst(6).utf8)
        }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
        #expect(!Endpoint.isListenedTo(path), "a file that nobody listens at")
        for other in ["tcp://127.0.0.1:7411", "ipc://*", "ipc://@name", "ipc://"] {
            #expect(!Endpoint.isListenedTo(other))
        }
    }
}
