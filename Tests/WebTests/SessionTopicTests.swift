import Testing
import Web

@Suite struct SessionTopicTests {
    @Test(arguments: [
        ("state/alice/tips", "alice"), ("frame/alice", "alice"), ("state/", nil), ("state", nil),
        ("sync/alice", nil), ("rejected/-", nil), ("heartbeat", nil), ("", nil),
    ])
    func theSessionOfATopic(topic: String, session: String?) {
        #expect(SessionTopic.name(in: Array(topic.utf8)) == session.map { Array($0.utf8) })
    }

    @Test(arguments: [
        (#"{"epoch":"c-7.5","seq":1}"#, "c-7.5"), (#"{"seq":1,"epoch":"c-7.5"}"#, nil),
        (#"{"epoch":"c-7.5"#, nil), (#"{"epoch":"a\u0022b"}"#, nil), ("", nil), ("{}", nil),
        (#"{"epoch":7}"#, nil),
    ])
    func theEpochOfABody(body: String, epoch: String?) {
        #expect(SessionTopic.epoch(of: Array(body.utf8)) == epoch)
    }
}
