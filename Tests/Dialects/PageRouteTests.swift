import Dialects
import OrderedJSON
import TestSupport
import Testing
import Wire

/// What needs no token.
@Suite struct PageRouteTests {
    private let clock = ManualClock()

    private func table(authority: [UInt8]? = nil) -> RouteTable {
        let files: [PageFiles.File] = [
            ("/a.html", [0x61]), ("/app.js", [0x6A]), ("/index.html", [0x69]), ("/worker.js", [0x77]),
        ]
        let page = PageFiles(
            paths: files.map(\.path), load: { files }, sha256: { Array($0.prefix(1)) }, gzip: { [9] + $0 })
        return RouteTable(PageRoutes(files: page, authority: authority, clock: clock).routes)
    }

    @Test(arguments: [
        ("/", "i", "text/html"), ("/pair", "i", "text/html"), ("/a", "a", "text/html"), ("/a.html", "a", "text/html"),
        ("/app.js", "j", "text/javascript"),
    ])
    func filesAreServedWhereTheyBelong(path: String, text: String, type: String) async {
        let answer = await table().ask("GET", path)
        #expect(answer.text == text && answer.headers["content-type"]?.hasPrefix(type) == true)
        #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(await table().ask("GET", "/index.html").status == .notFound)
    }

    @Test func whatTheBrowserHasIsNotSentAgain() async throws {
        let tag = try #require(await table().ask("GET", "/").headers["etag"])
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let answer = await table().ask("GET", "/", headers: ["If-None-Match": known])
            #expect(answer.status == .notModified && answer.body.isEmpty && answer.headers["etag"] == tag)
        }
        #expect(await table().ask("GET", "/", headers: ["If-None-Match": "\"x\""]).status == .ok)
    }

    @Test(arguments: [
        ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP ; q=1.000", true), ("deflate,gzip", true), ("", false),
        ("br", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("gzip;q=nan", false), ("gzip;q=x", false),
        ("gzip;level=9", false), ("x-gzip", false), ("*", false), ("identity", false),
    ])
    func whoReadsGzipGetsIt(codings: String, isPacked: Bool) async {
        let answer = await table().ask("GET", "/app.js", headers: ["Accept-Encoding": codings])
        #expect(answer.body == (isPacked ? [9, 0x6A] : [0x6A]))
        #expect(answer.headers["content-encoding"] == (isPacked ? "gzip" : nil))
        #expect(answer.headers["etag"] == (isPacked ? "W/\"6a\"" : "\"6a\""))
        #expect(answer.headers["vary"] == "Accept-Encoding")
    }

    @Test func picturesAndWhatCannotBePackedAreServedAsTheyAre() async {
        let files: [PageFiles.File] = [("/a.png", [1]), ("/app.js", [2])]
        let page = PageFiles(paths: files.map(\.path), load: { files }, sha256: { $0 }, gzip: { $0 == [2] ? nil : [9] })
        let table = RouteTable(PageRoutes(files: page, authority: nil, clock: clock).routes)
        for (path, bytes) in files {
            let answer = await table.ask("GET", path, headers: ["Accept-Encoding": "gzip"])
            #expect(answer.body == bytes && answer.headers["content-encoding"] == nil)
        }
    }

    @Test func theWorkerBeginsWithTheHashesOfAllOthers() async {
        let text = await table().ask("GET", "/worker.js").text
        #expect(text.hasPrefix(#"const FILES = {"/a.html":"61","/app.js":"6a","/":"69"};"#) && text.hasSuffix("w"))
    }

    @Test func theCertificateIsThereWhereAnAuthorityIs() async {
        #expect(await table().ask("GET", "/ca.crt").status == .notFound)
        let answer = await table(authority: [1, 2]).ask("GET", "/ca.crt")
        #expect(answer.body == [1, 2] && answer.headers["cache-control"] == "no-store")
    }

    @Test func reloadsAreServedAndAFloodIsNot() async {
        let table = table()
        // Fifty loads of sixty files.
        for _ in 0..<3000 { #expect(await table.ask("GET", "/a").status == .ok) }
        for path in ["/a", "/", "/ca.crt"] {
            let answer = await table.ask("GET", path)
            #expect(answer.status == .tooManyRequests && answer.headers["retry-after"] == "60")
        }
        // Nobody is kept from anything else, nor anybody else from the page: all phones of a home may be of one network.
        #expect(await table.ask("GET", "/health").json?["status"] == "ok")
        #expect(await table.ask("GET", "/a", from: .owner).status == .ok, "the socket is the user's own")
        #expect(await table.ask("GET", "/a", from: .at("203.0.113.8")).status == .ok)
        clock.advance(by: 60)
        #expect(await table.ask("GET", "/a").status == .ok)
    }
}
