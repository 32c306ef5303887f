import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Scenes
import Sessions

extension Limits {
    /// The bounds by their names on the wire. `sessionsMax` is the configuration's.
    static func published(sessionsMax: Int) -> [(name: String, value: Int)] {
        [
            ("limit_sessions", sessionsMax), ("limit_topic_bytes", Name.topicBytesMax),
            ("limit_name_bytes", Name.bytesMax), ("limit_body_bytes", bodyBytesMax),
            ("limit_message_bytes", messageBytesMax), ("limit_ids_remembered", idsRememberedMax),
            ("limit_subscription_bytes", subscriptionBytesMax), ("limit_id_bytes", idBytesMax),
            ("limit_coordinate_points", Int(NumberRange.coordinateMax)),
            ("limit_count", BadgeCounts.countMax), ("limit_badge_kinds", BadgeCounts.kindsMax),
            ("limit_versions_unstored", versionsUnstoredMax),
            ("limit_removals_unstored", removalsUnstoredMax),
            ("limit_hand_overs", commitsUnderWayMax), ("limit_components", componentsMax),
            ("limit_handed_over_at_once", partSessionsMax),
            ("limit_piece_us", pieceMicrosecondsMax), ("limit_nesting", nestingMax),
            ("limit_content_bytes", contentBytesMax),
            ("limit_content_of_one_bytes", contentOfOneBytesMax), ("limit_routes", routesMax),
            ("limit_touches", contactsToldMax), ("limit_component_contacts", componentContactsMax),
            ("limit_tokens", World.tokensMax), ("limit_reactions", reactionsMax),
            ("limit_reaction_chain", reactionChainMax),
            ("limit_reaction_sets", reactionSetsMax), ("limit_reaction_values", reactionValuesMax),
            ("limit_text_bytes", TableReader.textBytesMax),
            ("limit_duration_seconds", Int(NumberRange.durationSecondsMax)),
            ("limit_steps_made_up", stepsMadeUpMax),
            ("limit_gesture_silence_ms", Silence.stepsMax * 1_000 / Step.perSecond),
            ("limit_time_skew_ms", Int(SampleTime.skewMillisecondsMax)),
            ("limit_refused_contacts", refusedContactsMax),
            ("limit_resend_interval_ms", resendSteps * 1_000 / Step.perSecond),
            ("limit_rejections_per_session_per_second", rejectionsPerSessionMax),
            ("limit_rejections_per_second", rejectionsPerSecondMax),
            ("limit_excerpt_bytes", excerptBytesMax),
            ("limit_publishes_unanswered", publishesUnansweredMax),
            ("limit_export_bytes", exportBytesMax), ("limit_version_imported", versionImportedMax),
            ("limit_timer_imported_seconds", Int(timerImportedSecondsMax)),
            ("limit_sessions_listed", sessionsListedMax), ("limit_document_depth", Node.depthMax),
            ("limit_document_values", documentValuesMax), ("limit_lane_events", laneEventsMax),
            ("limit_scene_bytes", sceneBytesMax), ("limit_lane_ms", laneMillisecondsMax),
            ("limit_changed_scene_bytes", changedSceneBytesMax),
            ("limit_changes_ms", changesMillisecondsMax),
            ("limit_costly_requests_of_peer", costlyRequestsOfPeerMax),
            ("limit_lane_bytes", laneBytesMax), ("limit_round_bytes", roundBytesMax),
            ("limit_request_id_bytes", requestIdBytesMax),
            ("limit_envelope_frames", envelopeFramesMax),
            ("limit_envelope_bytes", envelopeBytesMax), ("limit_round_messages", roundMessagesMax),
            ("limit_requests_unanswered", requestsUnansweredMax),
            ("limit_outbox_bytes", outboxBytesMax),
            ("limit_subscriptions_per_round", subscriptionsPerRoundMax),
            ("limit_subscriptions_peer_bytes", subscriptionBytesPerPeerMax),
            ("limit_subscriptions_bytes", subscriptionBytesInAllMax),
            ("limit_subscriptions_burst_bytes", subscriptionBurstBytesMax),
            ("limit_subscriptions_burst_bytes_in_all", subscriptionBurstBytesInAllMax),
            ("limit_unfinished_bytes", unfinishedBytesMax),
            ("limit_unfinished_bytes_in_all", unfinishedBytesInAllMax),
            ("limit_replies_peer_bytes", repliesUnreadBytesMax),
            ("limit_replies_bytes", repliesUnreadBytesInAllMax),
            ("limit_updates_unread_bytes", updatesUnreadBytesMax),
            ("limit_updates_unread", updatesUnreadMax), ("limit_sync_nonces", syncNoncesMax),
            ("limit_large_updates_bytes", largeUpdatesBytesMax),
            ("limit_small_updates_bytes", smallUpdatesBytesMax),
        ] + ofKinds + ofApps
    }

    /// Those of what components hold.
    private static let ofKinds: [(name: String, value: Int)] = [
        ("limit_tab_items", Tabs.itemsMax), ("limit_tips", Tips.tipsMax),
        ("limit_presented_tips_bytes", Tips.presentedBytesMax),
        ("limit_session_presented_tips_bytes", sessionCardBytesMax),
        ("limit_navigation_stack", Navigation.stackMax),
        ("limit_navigation_queue", Navigation.queueMax), ("limit_list_rows", List.rowsMax),
        ("limit_listed_rows", List.listedRowsMax), ("limit_session_rows", sessionRowsMax),
        ("limit_reader_pages", Reader.pagesMax), ("limit_reader_titles", Reader.titlesMax),
        ("limit_world_items", World.itemsMax), ("limit_world_behaviors", World.behaviorsMax),
        ("limit_world_fields", World.fieldsMax), ("limit_world_segments", World.segmentsMax),
        ("limit_item_content_bytes", World.itemContentBytesMax),
        ("limit_world_restless_ms", Int(World.restlessSecondsMax * 1_000)),
        ("limit_session_items", sessionItemsMax), ("limit_session_fields", sessionFieldsMax),
        ("limit_session_pairs", sessionPairsMax), ("limit_contacts", PointerArena.contactsMax),
    ]

    /// Those of what a scene does by itself, of what it says, and of what it lists.
    private static let ofApps: [(name: String, value: Int)] = [
        ("limit_reaction_parts", reactionPartsMax),
        ("limit_reactions_pending", reactionsPendingMax),
        ("limit_reaction_facts", factsMax), ("limit_reaction_arguments_bytes", deedBytesMax),
        ("limit_reaction_filled_bytes", filledBytesMax),
        ("limit_reaction_waits_data_bytes", reactionWaitDataBytesMax),
        ("limit_reaction_timer_seconds", Int(NumberRange.reactionTimer.bounds.upperBound)),
        ("limit_notification_data_bytes", notificationDataBytesMax),
        ("limit_variables", variablesMax), ("limit_variable_bytes", variableTextBytesMax),
        ("limit_variables_bytes", variablesTextBytesMax),
        ("limit_text_parts", templatePartsMax), ("limit_text_languages", languagesMax),
        ("limit_format_width", formatWidthMax),
        ("limit_format_precision", formatPrecisionMax),
        ("limit_shown_text_bytes", shownTextBytesMax),
        ("limit_shown_texts_bytes", shownTextsBytesMax), ("limit_keys_set", keysSetMax),
        ("limit_label_text_bytes", labelTextBytesMax),
        ("limit_panel_anchors", Panel.anchorsMax), ("limit_list_actions", List.actionsMax),
        ("limit_row_changes_in_motion", List.changesInMotionMax),
        ("limit_rows_around", rowsAroundMax),
    ]
}
