import Glibc
import Testing

@testable import Platform

@Suite(.serialized)
struct HostTests {
    @Test func variablesAreReadAndEmptyOnesMissing() {
        let name = "GESTURED_PLATFORM_TEST"
        #expect(Host.variable(name) == nil)
        unsafe setenv(name, "a=b", 1)
        #expect(Host.variable(name) == "a=b")
        #expect(Host.variables.contains("\(name)=a=b"))
        unsafe setenv(name, "", 1)
        #expect(Host.variable(name) == nil)
        unsafe unsetenv(name)
        #expect(!Host.variables.contains { $0.hasPrefix(name) })
    }

    /// `taskset` and containers give a process some processors of the machine.
    @Test func processorsAreThoseOfThisProcess() {
        #expect((1...sysconf(Int32(_SC_NPROCESSORS_CONF))).contains(Host.processorCount))
    }

    @Test func theMachineHasAName() { #expect(!Host.name.isEmpty) }
}
