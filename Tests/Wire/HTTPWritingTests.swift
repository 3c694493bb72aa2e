import Testing
import Wire

@Suite struct HTTPWritingTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func responseInOneBuffer() {
        let response = HTTPResponse(.ok, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        #expect(text(response.serialized(keepAlive: true)) == head + "\r\n{}")
        #expect(text(response.serialized(keepAlive: false)) == head + "Connection: close\r\n\r\n{}")
        #expect(text(response.serialized(keepAlive: true, headOnly: true)) == head + "\r\n")
    }

    @Test func responsesWithoutContentSayNoLength() {
        #expect(text(HTTPResponse(.noContent).serialized(keepAlive: true)) == "HTTP/1.1 204 No Content\r\n\r\n")
        let upgrade = HTTPResponse(.switchingProtocols, headers: ["Connection": "Upgrade"])
        #expect(
            text(upgrade.serialized(keepAlive: false))
                == "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n")
    }

    @Test func interimResponses() {
        #expect(text(HTTPInterim.proceed) == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(
            text(HTTPInterim.processing(["Cdev-Deadline": "5"]))
                == "HTTP/1.1 102 Processing\r\nCdev-Deadline: 5\r\n\r\n")
    }

    @Test func aFieldCannotStartAnother() {
        let headers: HTTPHeaders = ["X\r\nY": "a\r\nSet-Cookie: b\0"]
        #expect(headers.map { [$0.name, $0.value] } == [["X--Y", "a  Set-Cookie: b "]])
    }

    @Test func requestsReadAsTheyWereWritten() {
        let sent = HTTPRequest(
            method: "POST", target: "/rpc?x", headers: ["Host": "local", "Content-Type": "application/json"],
            body: Array("[]".utf8))
        guard case .request(let read) = HTTPRequestParser().events(of: sent.serialized()).first else {
            Issue.record("not read")
            return
        }
        #expect([read.method, read.path, read.query] == ["POST", "/rpc", "x"])
        #expect(read.headers["content-type"] == "application/json")
        #expect(read.headers["content-length"] == "2")
        #expect(read.body == sent.body)
    }

    @Test func onlyRequestsThatMayHaveContentSayALength() {
        #expect(text(HTTPRequest(method: "GET", target: "/").serialized()) == "GET / HTTP/1.1\r\n\r\n")
        #expect(
            text(HTTPRequest(method: "POST", target: "/").serialized())
                == "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
    }
}
