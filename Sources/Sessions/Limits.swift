import Interactions
package import Notation

extension Limits {
    /// Bytes of a topic: libzmq 4.3.4 loses subscriptions of 246 to 255.
    package static let topicBytesMax = Name.topicBytesMax
    /// Bytes of a session's, component's, kind's or screen's name: two of them fit a topic.
    package static let nameBytesMax = Name.bytesMax
    /// Bytes of an event's body: a gesture needs 100; a scene of 32 components a few thousand.
    package static let bodyBytesMax = 64 * 1024
    /// Of a file of the configuration or of a scene: as of a scene that comes as a message.
    package static let fileBytesMax = messageBytesMax
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
    /// Components in a scene.
    package static let componentsMax = 32
    /// Items of a tab bar.
    package static let tabItemsMax = 16
    /// Tips in one component.
    package static let tipsMax = 1_024
    /// Screens on a navigation's stack: deeper, nobody finds the way back.
    package static let navigationStackMax = Navigation.stackMax
    /// Commands that a scene may let wait for a transition: seconds of them.
    package static let navigationQueueMax = 1_024
    /// Rows of a list: of usual height they reach as far as coordinates do, and beyond.
    package static let listRowsMax = 1_000_000
    /// Pages of a reader that are merely counted, and those that have titles.
    package static let readerPagesMax = 1_000_000
    package static let readerTitlesMax = 1_024
    /// Bytes of a text in a scene: a title, a summary, an image's name.
    package static let textBytesMax = TableReader.textBytesMax
    /// Steps that are made up after a stall: a quarter of a second, then time is jumped over.
    package static let stepsMadeUpMax = 30
    /// Steps between two looks at a session that moves while nobody watches: 67 ms.
    package static let unwatchedLookSteps = 8
    /// Contacts of which a refused `began` is remembered in a session; the oldest is forgotten.
    package static let refusedContactsMax = 32
    /// Steps between two answers to subscriptions on one topic: 50 ms.
    package static let resendSteps = 6
    /// Bytes of a rejected body that are sent back.
    package static let excerptBytesMax = 120
    /// Rejections of one session that are published in a second.
    package static let rejectionsPerSessionMax = 10
    /// Levels of nesting in a JSON or TOML document.
    package static let documentDepthMax = Node.depthMax
}
