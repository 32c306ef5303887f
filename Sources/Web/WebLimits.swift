import Notation

/// The bounds that clients can meet, by their names on the wire.
package enum WebLimits {
    package static let published: [(name: String, value: Int)] = [
        ("limit_clients", Limits.webClientsMax),
        ("limit_connections", Limits.webConnectionsMax),
        ("limit_message_bytes", Limits.webMessageBytesMax),
        ("limit_message_fragments", Limits.webFragmentsMax),
        ("limit_members", Limits.webMembersMax),
        ("limit_subscriptions", Limits.webSubscriptionsMax),
        ("limit_subscription_bytes", Limits.webSubscriptionBytesMax),
        ("limit_subscription_bytes_per_second", Limits.webSubscriptionBytesPerSecond),
        ("limit_bound_sessions", Limits.webBoundSessionsMax),
        ("limit_requests", Limits.webRequestsMax),
        ("limit_requests_in_all", Limits.webRequestsInAllMax),
        ("limit_requests_at_once", Limits.webRequestsAtOnceMax),
        ("limit_waiting_bytes", Limits.webWaitingBytesMax),
        ("limit_messages_per_second", Limits.webMessagesPerSecond),
        ("limit_bytes_per_second", Limits.webBytesPerSecond),
        ("limit_faults", Limits.webFaultsMax),
        ("limit_queue_bytes", Limits.webQueueBytesMax),
        ("limit_queues_bytes", Limits.webQueuesBytesMax),
        ("limit_unread_updates_per_second", Limits.webUnreadUpdatesPerSecond),
        ("limit_request_seconds", Limits.webRequestSeconds),
    ]
}
