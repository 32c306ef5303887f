package import Recordings

/// The abilities of an input device, by types and codes of `linux/input-event-codes.h`.
package struct InputDevice: Hashable, Sendable {
    package var name: String
    /// The ranges of its absolute axes, in its own units.
    package var axes: [Int: ClosedRange<Int>]
    package var relative: Set<Int>
    package var keys: Set<Int>

    package init(
        name: String, axes: [Int: ClosedRange<Int>] = [:], relative: Set<Int> = [],
        keys: Set<Int> = []
    ) {
        self.name = name
        self.axes = axes
        self.relative = relative
        self.keys = keys
    }

    /// How it tells of contacts, with the ranges of its axes; nil where it knows of none.
    package var contacts: (dialect: LiveContacts.Dialect, x: ClosedRange<Int>, y: ClosedRange<Int>)?
    {
        if let x = axes[InputCode.contactX], let y = axes[InputCode.contactY] {
            return (axes[InputCode.slot] != nil ? .slots : .lists, x, y)
        }
        guard let x = axes[InputCode.absoluteX], let y = axes[InputCode.absoluteY],
            touchKey != nil
        else { return nil }
        return (.single, x, y)
    }

    /// The key that means a contact: a touch, or the button of a device that points absolutely, as
    /// the tablets of virtual machines do.
    package var touchKey: Int? {
        [InputCode.touch, InputCode.leftButton].first(where: keys.contains)
    }

    /// Whether it moves a pointer.
    package var isMouse: Bool {
        relative.contains(InputCode.relativeX) && relative.contains(InputCode.relativeY)
    }

    package var hasWheel: Bool { !relative.isDisjoint(with: InputCode.wheels) }
}

/// One event of an input device.
package struct InputReading: Hashable, Sendable {
    /// The steady clock's, as in `Moment`.
    package var microseconds: Int
    package var type: Int
    package var code: Int
    package var value: Int

    package init(microseconds: Int, type: Int, code: Int, value: Int) {
        self.microseconds = microseconds
        self.type = type
        self.code = code
        self.value = value
    }
}

/// Codes of `linux/input-event-codes.h`.
package enum InputCode {
    package static let synchronization = 0
    package static let key = 1
    package static let relative = 2
    package static let absolute = 3

    package static let report = 0
    package static let dropped = 3
    package static let leftButton = 0x110
    package static let touch = 0x14A
    package static let relativeX = 0x00
    package static let relativeY = 0x01
    package static let wheelAcross = 0x06
    package static let wheel = 0x08
    package static let fineWheel = 0x0B
    package static let fineWheelAcross = 0x0C
    package static let wheels: Set = [wheelAcross, wheel, fineWheel, fineWheelAcross]
    package static let absoluteX = 0x00
    package static let absoluteY = 0x01
    package static let slot = 0x2F
    package static let contactX = 0x35
    package static let contactY = 0x36
    /// The axes that matter here.
    package static let axes = [absoluteX, absoluteY, slot, contactX, contactY]
}
