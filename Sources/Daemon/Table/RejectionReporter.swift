import Geometry
import Interactions
import Sessions

/// The bounds of one lane's rejection reports, beside those of each session, and their log.
struct RejectionReporter {
    /// Shared by all lanes.
    private let budget: RejectionBudget
    private let log: RejectionLog
    private var withoutSession = NowhereLimits()

    init(budget: RejectionBudget, log: RejectionLog) {
        self.budget = budget
        self.log = log
    }

    /// Whether all lanes together may report one more; if so, it counts.
    func mayReport(at time: Int) -> Bool { budget.take(at: time) }

    /// Whether one more of a session that is not open may be reported; if so, it counts.
    mutating func mayReport(withoutSession key: NameKey?, at time: Int) -> Bool {
        withoutSession.take(key, at: time) && budget.takeNowhere(at: time)
    }

    /// Keeps a report for the log's next line; reports are bounded.
    func record(_ report: RejectionReport) {
        guard report.rejection.code != .duplicate else { return }
        log.note(report.rejection, topic: report.topic)
    }
}
