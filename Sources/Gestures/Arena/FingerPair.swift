import Geometry

/// Two fingers that may pinch and rotate, also both at once.
struct FingerPair: Hashable, Sendable, Codable {
    /// The number of the second finger's contact.
    let pointer: PointerNumber
    private var pinch: PinchRecognizer?
    private var rotation: RotationRecognizer?
    /// The recognizer that began first; nil if none has.
    private(set) var winner: GestureKind?

    /// Nil if the component listens for neither.
    init?(
        _ recognizers: Recognizers, _ a: Vector, _ b: Vector, pointer: PointerNumber,
        tracker: VelocityTracker.Kind
    ) {
        guard !recognizers.isDisjoint(with: [.pinch, .rotation]) else { return nil }
        self.pointer = pointer
        if recognizers.contains(.pinch) { pinch = PinchRecognizer(a, b, tracker: tracker) }
        if recognizers.contains(.rotation) {
            rotation = RotationRecognizer(a, b, tracker: tracker)
        }
    }

    mutating func moved(
        _ a: Vector, _ b: Vector, time: SampleTime, scale: ViewportScale,
        into outputs: inout [Recognized]
    ) {
        let middle = (a + b) / 2
        if let recognition = pinch?.moved(a, b, time: time, scale: scale) {
            append(pinching: recognition, at: middle, into: &outputs)
        }
        if let recognition = rotation?.moved(a, b, time: time, scale: scale) {
            append(turning: recognition, at: middle, into: &outputs)
        }
    }

    mutating func lifted(
        _ a: Vector, _ b: Vector, time: SampleTime, into outputs: inout [Recognized]
    ) {
        let middle = (a + b) / 2
        if let recognition = pinch?.lifted(time: time) {
            append(pinching: recognition, at: middle, into: &outputs)
        }
        if let recognition = rotation?.lifted(time: time) {
            append(turning: recognition, at: middle, into: &outputs)
        }
    }

    mutating func cancel(_ a: Vector, _ b: Vector, into outputs: inout [Recognized]) {
        let middle = (a + b) / 2
        if let scale = pinch?.cancel() {
            outputs.append(.pinch(Pinch(phase: .cancelled, location: middle, scale: scale)))
        }
        if let angle = rotation?.cancel() {
            outputs.append(
                .rotation(Rotation(phase: .cancelled, location: middle, angle: angle)))
        }
    }

    private mutating func append(
        pinching recognition: Recognition<PairReading>, at middle: Vector,
        into outputs: inout [Recognized]
    ) {
        guard let (phase, reading) = recognition.sample else { return }
        if winner == nil { winner = .pinch }
        outputs.append(
            .pinch(
                Pinch(
                    phase: phase, location: middle, scale: reading.value,
                    velocity: reading.velocity)))
    }

    private mutating func append(
        turning recognition: Recognition<PairReading>, at middle: Vector,
        into outputs: inout [Recognized]
    ) {
        guard let (phase, reading) = recognition.sample else { return }
        if winner == nil { winner = .rotation }
        outputs.append(
            .rotation(
                Rotation(
                    phase: phase, location: middle, angle: reading.value,
                    velocity: reading.velocity)))
    }
}

extension Recognition {
    /// The phase and the reading for a component; nil if it hears nothing.
    fileprivate var sample: (Phase, Reading)? {
        switch self {
        case .nothing, .failed: nil
        case .began(let reading): (.began, reading)
        case .changed(let reading): (.changed, reading)
        case .ended(let reading): (.ended, reading)
        }
    }
}

extension FingerPair {
    func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        pinch?.isSound(kind) != false && rotation?.isSound(kind) != false
    }
}
