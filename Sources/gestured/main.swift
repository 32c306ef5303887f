import Daemon
import Foundation

exit(Lifecycle.main(Array(CommandLine.arguments.dropFirst())))
