import Gestures
import Interactions
import Notation

/// Every bound of the daemon, each with its unit and the reason for its size.
///
/// `hello` and `stats` publish them by their wire names.
package enum Limits {
    /// Bytes of a topic: libzmq 4.3.4 loses subscriptions of 246 to 255.
    package static let topicBytesMax = Name.topicBytesMax
    /// Bytes of a session's, component's, kind's or screen's name: two of them fit a topic.
    package static let nameBytesMax = Name.bytesMax
    /// Bytes of an event's body: a gesture needs 100; a scene of 32 components a few thousand.
    package static let bodyBytesMax = 64 * 1024
    /// Bytes of a message on any socket; beyond it ZeroMQ drops the connection.
    package static let messageBytesMax = 1024 * 1024
    /// Bytes of a file of the configuration or of a scene: the same as of a scene in a message.
    package static let fileBytesMax = messageBytesMax
    /// Bytes of a subscription: a topic and its command byte, with room to spare.
    package static let subscriptionBytesMax = 256
    /// Bytes of an event's id.
    package static let idBytesMax = 64
    /// Applied ids that a session remembers: minutes of notifications, 100 KiB at the worst.
    package static let idsRememberedMax = 1_024
    /// Points, or points per second, of any coordinate: a wall of screens, and doubles stay exact.
    package static let coordinateMax = NumberRange.coordinateMax
    /// The largest count: what every JSON reader holds exactly.
    package static let countMax = BadgeCounts.countMax
    /// Kinds of counts in one session; one that stands at 0 makes room.
    package static let badgeKindsMax = BadgeCounts.kindsMax
    /// Versions of counts that an imported session may have reached: three quarters of what JSON
    /// holds exactly, so that a hostile one leaves numbers for all that follow.
    package static let versionImportedMax = 3 << 51
    /// Seconds until the timers of an imported session: no timer of ours is set for longer.
    package static let timerImportedSecondsMax = 86_400.0
    /// Versions of one session's counts that may be told before they are stored: a disk that takes
    /// nothing for days. After an unclean end as many are left out.
    package static let versionsUnstoredMax = 1 << 20
    /// The highest version at which those of a run begin, which is by the clock: there are as many
    /// left as come in a year, below what every JSON reader holds exactly.
    package static let versionsBegunMax = countMax - 1 << 45
    /// Stored sessions that a lane lets expire in one sweep: some milliseconds of work.
    package static let expiredAtOnceMax = 256
    /// Sessions of a lane that are gone before the store knows it: some MiB, beyond which none may
    /// go.
    package static let removalsUnstoredMax = 100_000
    /// Changes of one lane on their way to the store: enough that none waits for another's commit,
    /// few enough that a slow disk does not fill memory with them.
    package static let handOversMax = 16
    /// Sessions of a lane that are written for the store in one piece: some milliseconds of work.
    package static let handedOverAtOnceMax = 512
    /// Publishes for which a commit waits where that many are under way: up to here it costs more
    /// than what is in it; of more it waits for half, so that one half is handled while the other
    /// is committed.
    package static let gatheredMax = 16
    /// Events and publishes, and bytes of them, that the reactor does itself for a lane that is
    /// idle: fewer than those cost less than the hop.
    package static let doneAtOnceMax = 4
    package static let doneBytesMax = 4 * 1024
    /// Microseconds that this may take: a frame's fortieth. Longer, it is left to the lane for so
    /// many times as long, which is a tenth of the reactor's time at most; as it is before the
    /// lane's timer fires.
    package static let doneMicrosecondsMax = 200
    package static let barredTimes = 10
    /// Requests that are read together, before the subscriptions that came before them are.
    package static let requestsAtOnceMax = 16
    /// Sessions of a lane that are looked at in one piece of a sweep: some milliseconds of work.
    package static let sweptAtOnceMax = 128
    /// Microseconds after which a piece of a sweep ends, however few it has come to.
    package static let pieceMicrosecondsMax = 2_000
    /// Components in a scene.
    package static let componentsMax = 32
    /// Items of a tab bar.
    package static let tabItemsMax = Tabs.itemsMax
    /// Items, behaviors, fields and pieces of boundaries of one world.
    package static let worldItemsMax = World.itemsMax
    package static let worldBehaviorsMax = World.behaviorsMax
    package static let worldFieldsMax = World.fieldsMax
    package static let worldSegmentsMax = World.segmentsMax
    /// Seconds after which a world that nothing drives is put to rest.
    package static let worldRestlessSecondsMax = World.restlessSecondsMax
    /// Tips in one component.
    package static let tipsMax = Tips.tipsMax
    /// Screens on a navigation's stack: deeper, nobody finds the way back.
    package static let navigationStackMax = Navigation.stackMax
    /// Commands that a scene may let wait for a transition: seconds of them.
    package static let navigationQueueMax = Navigation.queueMax
    /// Rows of a list: of usual height they reach as far as coordinates do, and beyond.
    package static let listRowsMax = List.rowsMax
    /// Pages of a reader that are merely counted, and those that have titles.
    package static let readerPagesMax = Reader.pagesMax
    package static let readerTitlesMax = Reader.titlesMax
    /// Raw contacts that one component follows: ten fingers, and some palms.
    package static let contactsMax = PointerArena.contactsMax
    /// Bytes of a text in a scene: a title, a summary, an image's name.
    package static let textBytesMax = TableReader.textBytesMax
    /// Seconds of any duration in a scene.
    package static let durationSecondsMax = NumberRange.durationSecondsMax
    /// Sessions open at once: 100,000 of `phone` stay under 2 GiB.
    package static let sessionsMax = 100_000
    /// Steps that are made up after a stall: a quarter of a second, then time is jumped over.
    package static let stepsMadeUpMax = 30
    /// Steps between two looks at a session that moves while nobody watches: 67 ms.
    package static let unwatchedLookSteps = 8
    /// Names of sessions that are gone whose last version of counts is remembered, on each lane.
    package static let formerVersionsMax = 100_000
    /// Seconds of silence after which an open gesture is cancelled.
    package static let gestureSilenceSeconds = 3.0
    /// Milliseconds that an event's own time may be off the daemon's clock.
    package static let timeSkewMillisecondsMax = 2_000.0
    /// Contacts of which a refused `began` is remembered in a session; the oldest is forgotten.
    package static let refusedContactsMax = 32
    /// Steps between two answers to subscriptions on one topic: 50 ms.
    package static let resendSteps = 6
    /// Bytes of a rejected body that are sent back.
    package static let excerptBytesMax = 120
    /// Rejections published a second, for one session and in all.
    package static let rejectionsPerSessionMax = 10
    package static let rejectionsPerSecondMax = 1_000
    /// Sessions that are not open of which each lane counts the rejections: 200 KiB.
    package static let nowhereSessionsMax = 1_024
    /// Unanswered `publish` requests of one session.
    package static let publishesUnansweredMax = 512
    /// Bytes of an exported session: it fits a message with what is beside it.
    package static let exportBytesMax = messageBytesMax - 4 * 1024
    /// Sessions in one reply to `sessions`.
    package static let sessionsListedMax = 1_000
    /// Levels of nesting in a JSON or TOML document.
    package static let documentDepthMax = Node.depthMax
    /// Descriptors of each lane: its timer, and the two files of the store that it reads.
    package static let descriptorsPerLane = 3
    /// Descriptors that the daemon may open beside them, at the least: some thirty of its own, the
    /// rest for its first peers.
    package static let descriptorsBesideLanes = 64
    /// Events that wait for one lane: some milliseconds of work. Beyond it none are read.
    package static let laneEventsMax = 4_096
    /// Bytes of events that wait for one lane: large bodies fill it before their number does.
    package static let laneBytesMax = 8 * 1024 * 1024
    /// Bytes of events that the reactor reads in one round: a large body is at most one of many.
    package static let roundBytesMax = 1024 * 1024
    /// Bytes of a request's `id` as JSON: it waits with the answer.
    package static let requestIdBytesMax = 1_024
    /// Messages that the reactor reads in one round, of each socket, before it does anything else.
    package static let roundMessagesMax = 512
    /// Requests that wait for lanes' answers; beyond it no requests are read.
    package static let requestsUnansweredMax = 8_192
    /// Bytes that wait to be sent; beyond it states and badges are held back.
    package static let outboxBytesMax = 16 * 1024 * 1024
    /// Bytes after which a lane hands over what it has encoded: sending and encoding overlap.
    package static let chunkBytes = 64 * 1024
    /// Emptied buffers that are kept for reuse.
    package static let spareChunksMax = 64
    /// Emptied batches that are kept for reuse on each lane: as many as wait at full load. If all
    /// are as large as they may be, 5 MiB.
    package static let spareBatchesMax = 32
    /// Bytes of events, and pieces of work, for which an emptied batch keeps its memory: a usual
    /// round under load; a larger one gives it back.
    package static let spareBatchBytesMax = 64 * 1024
    package static let spareBatchWorkMax = 1_024
    /// Subscriptions that are read in one round: some milliseconds of work.
    package static let subscriptionsPerRoundMax = 2_048
    /// Subscriptions at which the log warns, and again at each doubling: memory grows with them.
    package static let subscriptionsWarnedAt = 10_000
    /// Subscriptions that are told apart; with more, everything counts as wanted.
    package static let subscriptionsTrackedMax = 1_000_000
    /// Nonces of `sync/` whose numbers are remembered.
    package static let syncNoncesMax = 4_096
}

extension Limits {
    /// The bounds by their names on the wire. `sessionsMax` is the configuration's.
    package static func named(sessionsMax: Int) -> [(name: String, value: Int)] {
        [
            ("limit_sessions", sessionsMax), ("limit_topic_bytes", topicBytesMax),
            ("limit_name_bytes", nameBytesMax), ("limit_body_bytes", bodyBytesMax),
            ("limit_message_bytes", messageBytesMax),
            ("limit_subscription_bytes", subscriptionBytesMax), ("limit_id_bytes", idBytesMax),
            ("limit_ids_remembered", idsRememberedMax),
            ("limit_coordinate_points", Int(coordinateMax)), ("limit_count", countMax),
            ("limit_badge_kinds", badgeKindsMax), ("limit_versions_unstored", versionsUnstoredMax),
            ("limit_removals_unstored", removalsUnstoredMax), ("limit_hand_overs", handOversMax),
            ("limit_handed_over_at_once", handedOverAtOnceMax),
            ("limit_piece_us", pieceMicrosecondsMax),
            ("limit_components", componentsMax),
            ("limit_tab_items", tabItemsMax), ("limit_tips", tipsMax),
            ("limit_navigation_stack", navigationStackMax),
            ("limit_navigation_queue", navigationQueueMax), ("limit_list_rows", listRowsMax),
            ("limit_reader_pages", readerPagesMax), ("limit_reader_titles", readerTitlesMax),
            ("limit_world_items", worldItemsMax), ("limit_world_behaviors", worldBehaviorsMax),
            ("limit_world_fields", worldFieldsMax), ("limit_world_segments", worldSegmentsMax),
            ("limit_world_restless_ms", Int(worldRestlessSecondsMax * 1_000)),
            ("limit_contacts", contactsMax),
            ("limit_text_bytes", textBytesMax),
            ("limit_duration_seconds", Int(durationSecondsMax)),
            ("limit_steps_made_up", stepsMadeUpMax),
            ("limit_gesture_silence_ms", Int(gestureSilenceSeconds * 1_000)),
            ("limit_time_skew_ms", Int(timeSkewMillisecondsMax)),
            ("limit_refused_contacts", refusedContactsMax),
            ("limit_resend_interval_ms", resendSteps * 1_000 / 120),
            ("limit_excerpt_bytes", excerptBytesMax),
            ("limit_rejections_per_session_per_second", rejectionsPerSessionMax),
            ("limit_rejections_per_second", rejectionsPerSecondMax),
            ("limit_publishes_unanswered", publishesUnansweredMax),
            ("limit_export_bytes", exportBytesMax),
            ("limit_version_imported", versionImportedMax),
            ("limit_timer_imported_seconds", Int(timerImportedSecondsMax)),
            ("limit_sessions_listed", sessionsListedMax),
            ("limit_document_depth", documentDepthMax), ("limit_lane_events", laneEventsMax),
            ("limit_lane_bytes", laneBytesMax), ("limit_round_bytes", roundBytesMax),
            ("limit_request_id_bytes", requestIdBytesMax),
            ("limit_round_messages", roundMessagesMax),
            ("limit_requests_unanswered", requestsUnansweredMax),
            ("limit_outbox_bytes", outboxBytesMax),
            ("limit_subscriptions_per_round", subscriptionsPerRoundMax),
            ("limit_subscriptions_tracked", subscriptionsTrackedMax),
            ("limit_sync_nonces", syncNoncesMax),
        ]
    }
}
