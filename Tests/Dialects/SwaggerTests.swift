import Core
import Dialects
import OrderedJSON
import TestSupport
import Testing
import Wire

/// The document of the HTTP side, made from made-up routes; `Tests/EndToEnd` validates the daemon's own.
@Suite struct SwaggerTests {
    private let clock = ManualClock()

    private func table() -> RouteTable {
        let files: [PageFiles.File] = [
            ("/a.html", [0x61]), ("/app.js", [0x6A]), ("/index.html", [0x69]), ("/swagger/index.html", [0x73]),
            ("/swagger/swagger.js", [0x6B]), ("/worker.js", [0x77]),
        ]
        let page = PageFiles(
            paths: files.map(\.path), load: { files }, sha256: { Array($0.prefix(1)) }, gzip: { _ in nil })
        let routes = PageRoutes(files: page, authority: nil, clock: clock).routes
        return RouteTable(routes + SwaggerRoutes(beside: routes, clock: clock).routes)
    }

    @Test func theDocumentIsMadeOfTheRoutes() async throws {
        let answer = await table().ask("GET", "/swagger/openapi.json")
        let paths = try #require(answer.json?["paths"]?.objectValue)
        #expect(
            paths.map(\.key) == ["/", "/a", "/ca.crt", "/health", "/pair", "/swagger/", "/swagger/openapi.json"])
        let health = paths["/health"]?["get"]
        #expect(health?["operationId"] == "get_health" && health?["security"] == [[:], ["token": []]])
        let schema = health?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["required"] == ["status", "ok", "time"])
        #expect(answer.json?["openapi"] == "3.1.0" && answer.json?["info"]?["version"] == "1.0")
    }

    @Test func thePageIsServedAndKeptByNoPhone() async throws {
        for path in ["/swagger/", "/swagger"] {
            let page = await table().ask("GET", path)
            #expect(page.text == "s" && page.headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        }
        #expect(await table().ask("GET", "/swagger/swagger.js").text == "k")
        #expect(await table().ask("GET", "/worker.js").text.contains("swagger") == false)
    }

    @Test func aFloodIsNotServed() async {
        let table = table()
        for _ in 0..<60 { #expect(await table.ask("GET", "/swagger/openapi.json").status == .ok) }
        #expect(await table.ask("GET", "/swagger/openapi.json").status == .tooManyRequests)
        #expect(await table.ask("GET", "/swagger/openapi.json", from: .owner).status == .ok)
        clock.advance(by: 60)
        #expect(await table.ask("GET", "/swagger/openapi.json").status == .ok)
    }
}
