package import Notation

extension Limits {
    /// Items of a tab bar.
    package static let tabItemsMax = 16
    /// Tips in one component.
    package static let tipsMax = 1_024
    /// Commands that a scene may let wait for a transition: seconds of them.
    package static let navigationQueueMax = 1_024
    /// Rows of a list: of usual height they reach as far as coordinates do, and beyond.
    package static let listRowsMax = 1_000_000
    /// Pages of a reader that are merely counted, and those that have titles.
    package static let readerPagesMax = 1_000_000
    package static let readerTitlesMax = 1_024
}
