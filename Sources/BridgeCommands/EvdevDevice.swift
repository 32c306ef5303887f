import Bridges
import CEvdev
import Glibc

/// An open device of Linux' input layer. For one thread.
// The pointer is this object's own from its opening to its end.
@safe final class EvdevDevice {
    enum Reading {
        case reading(InputReading)
        /// The kernel dropped events; those that follow make up for them.
        case lost
        case nothing
        case gone
    }

    private let raw: OpaquePointer

    /// An errno; ENOTTY where the file is no input device.
    struct Fault: Error {
        var code: CInt
    }

    init(path: String, grabs: Bool) throws(Fault) {
        var fault: CInt = 0
        guard let device = unsafe ge_open(path, grabs ? 1 : 0, &fault) else {
            throw Fault(code: fault)
        }
        unsafe raw = device
    }

    deinit { unsafe ge_close(raw) }

    var descriptor: CInt { unsafe ge_descriptor(raw) }

    func next() -> Reading {
        var event = ge_event()
        switch unsafe ge_next(raw, &event) {
        case ge_none: return .nothing
        case ge_read:
            return .reading(
                InputReading(
                    microseconds: Int(event.microseconds), type: Int(event.type),
                    code: Int(event.code), value: Int(event.value)))
        case ge_lost: return .lost
        default: return .gone
        }
    }

    var description: InputDevice {
        let name = unsafe ge_name(raw).map { unsafe String(cString: $0) } ?? ""
        var described = InputDevice(name: name)
        for axis in InputCode.axes {
            var (from, to): (CInt, CInt) = (0, 0)
            if unsafe ge_range(raw, CInt(axis), &from, &to) != 0, from < to {
                described.axes[axis] = Int(from)...Int(to)
            }
        }
        let relative = [InputCode.relativeX, InputCode.relativeY] + InputCode.wheels
        described.relative = Set(relative.filter { has(InputCode.relative, $0) })
        described.keys = Set(
            [InputCode.touch, InputCode.leftButton].filter { has(InputCode.key, $0) })
        return described
    }

    private func has(_ type: Int, _ code: Int) -> Bool {
        unsafe ge_has(raw, CInt(type), CInt(code)) != 0
    }
}
