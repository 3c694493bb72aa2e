import Host
import Services

// This machine fills the ports of the services.

extension ChangedFile: FileReader {}
