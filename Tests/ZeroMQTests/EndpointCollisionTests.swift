import Testing
import ZeroMQ

struct EndpointCollisionTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:1", "tcp://127.0.0.1:1", true),
        ("tcp://127.0.0.1:1", "tcp://127.0.0.1:2", false),
        ("tcp://127.0.0.1:1", "tcp://127.0.0.2:1", false),
        ("tcp://*:1", "tcp://127.0.0.2:1", true), ("tcp://[::1]:1", "tcp://[::]:1", true),
        ("tcp://*:*", "tcp://*:*", false), ("tcp://127.0.0.1:0", "tcp://127.0.0.1:0", false),
        ("ipc:///a", "ipc:///a", true), ("ipc:///a", "ipc:///b", false),
        ("ipc://*", "ipc://*", false),
        ("ipc:///a", "tcp://127.0.0.1:1", false),
    ])
    func twoEndpointsCollide(first: String, second: String, expected: Bool) {
        #expect(Endpoint.collide(first, second) == expected)
        #expect(Endpoint.collide(second, first) == expected)
    }
}
