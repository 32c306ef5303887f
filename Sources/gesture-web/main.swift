import Foundation
import WebServer

exit(Lifecycle.main(Array(CommandLine.arguments.dropFirst())))
