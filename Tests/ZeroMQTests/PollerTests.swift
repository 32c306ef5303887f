import Foundation
import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite struct PollerTests {
    @Test func oneWaitSeesSocketsAndDescriptors() throws {
        let context = try Context()
        let a = try Socket(.pair, in: context)
        let b = try Socket(.pair, in: context)
        let idle = try Socket(.pair, in: context)
        try b.connect(try a.bind("tcp://127.0.0.1:*"))
        var pipes: [CInt] = [0, 0]
        try #require(unsafe pipe(&pipes) == 0)
        defer { pipes.forEach { close($0) } }

        var poller = Poller()
        let atSocket = poller.watch(a)
        let atIdle = poller.watch(idle)
        let atPipe = poller.watch(descriptor: pipes[0])
        #expect(try poller.wait(milliseconds: 0) == 0)

        try #require(unsafe write(pipes[1], "x", 1) == 1)
        #expect(try poller.wait(milliseconds: 5_000) == 1)
        #expect(poller.ready(at: atPipe) == .readable)
        #expect(poller.ready(at: atSocket).isEmpty)

        // The poller does not report a state that nobody asks for.
        poller.setInterest([], at: atPipe)
        #expect(try b.send([1], wait: true))
        #expect(try poller.wait(milliseconds: 5_000) == 1)
        #expect(poller.ready(at: atSocket) == .readable)
        #expect(poller.ready(at: atIdle).isEmpty)
        #expect(poller.ready(at: atPipe).isEmpty)
    }

    @Test func anEventThatAnotherCallNoticedIsNotMissed() throws {
        let context = try Context()
        let a = try Socket(.pair, in: context)
        let b = try Socket(.pair, in: context)
        try b.connect(try a.bind("inproc://noticed"))
        var message = Message()
        var poller = Poller()
        poller.watch(a)
        // It asks the socket, and so takes the word from the descriptor that something has come.
        var other = Poller()
        other.watch(a, for: .writable)
        for round in 0..<100 {
            #expect(try !a.receive(into: &message))
            #expect(try b.send([UInt8(round)]))
            #expect(try other.wait(milliseconds: 5_000) == 1)
            #expect(try a.send([1]))
            #expect(try poller.wait(milliseconds: 5_000) == 1)
            #expect(try a.receive(into: &message))
            #expect(message.bytes == [UInt8(round)])
            #expect(try b.receive(into: &message))
        }
    }

    @Test func theEndOfAPipeEndsTheWait() throws {
        var pipes: [CInt] = [0, 0]
        try #require(unsafe pipe(&pipes) == 0)
        defer { close(pipes[0]) }
        close(pipes[1])
        var poller = Poller()
        poller.watch(descriptor: pipes[0])
        #expect(try poller.wait(milliseconds: 5_000) == 1)
        #expect(!poller.ready(at: 0).isEmpty)
    }

    @Test func aWaitEndsAtItsTime() throws {
        let socket = try Socket(.pair, in: try Context())
        var poller = Poller()
        poller.watch(socket)
        let clock = ContinuousClock()
        let before = clock.now
        #expect(try poller.wait(milliseconds: 30) == 0)
        #expect(clock.now - before >= .milliseconds(29))
    }

    @Test func aSignalDoesNotEndTheWait() throws {
        let socket = try Socket(.pair, in: try Context())
        var poller = Poller()
        poller.watch(socket)
        // SIGURG is ignored by default; with a handler it interrupts the call.
        signal(SIGURG) { _ in }
        let waiter = pthread_self()
        let isOver = Mutex(false)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                pthread_kill(waiter, SIGURG)
                sched_yield()
            }
            ended.signal()
        }
        defer {
            isOver.withLock { $0 = true }
            ended.wait()
        }
        let clock = ContinuousClock()
        let before = clock.now
        #expect(try poller.wait(milliseconds: 100) == 0)
        #expect(clock.now - before >= .milliseconds(99))
    }

    @Test func aPollerKeepsWhatItWatchesAlive() throws {
        var poller = Poller()
        func watchOne() throws {
            let socket = try Socket(.pair, in: try Context())
            poller.watch(socket)
        }
        try watchOne()
        #expect(try poller.wait(milliseconds: 0) == 0)
    }
}
