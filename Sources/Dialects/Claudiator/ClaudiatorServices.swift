package import Services

/// The services that this dialect is made with.
package struct ClaudiatorServices: Sendable {
    let reports: any ReportService
    let devices: any DeviceService
    let rates: DeviceRates
    let clock: any TimeSource
    let bodies = BodyReader()

    package init(
        reports: any ReportService, devices: any DeviceService, rates: DeviceRates, clock: any TimeSource
    ) {
        self.reports = reports
        self.devices = devices
        self.rates = rates
        self.clock = clock
    }
}
