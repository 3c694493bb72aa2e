import Daemon
import OrderedJSON
import Testing

@Suite struct ConfigurationKeyTests {
    /// The reader takes each default, and it changes nothing.
    @Test func theDefaultsAreTheReaders() throws {
        for key in ConfigurationKey.all {
            guard let fallback = key.fallback else { continue }
            let bytes = Array(JSON.object([key.name: fallback]).serialized().utf8)
            let reader = try ConfigurationReader(bytes: bytes, path: "config.json")
            #expect(reader.warnings.isEmpty && reader.configuration == Configuration(), "\(key.name)")
        }
    }

    @Test func choicesAreTaken() throws {
        for key in ConfigurationKey.all {
            for choice in key.choices {
                let value: JSON = ["true", "false"].contains(choice) ? .bool(choice == "true") : .string(choice)
                let bytes = Array(JSON.object([key.name: value]).serialized().utf8)
                #expect(try ConfigurationReader(bytes: bytes, path: "config.json").warnings.isEmpty, "\(key.name)")
            }
        }
        #expect(ConfigurationKey.all.map(\.name) == ConfigurationKey.all.map(\.name).sorted())
    }
}
