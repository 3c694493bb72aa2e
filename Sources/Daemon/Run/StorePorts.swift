import Services
import Store

// The database fills the ports of the services.

extension Store: HistoryStore {}
