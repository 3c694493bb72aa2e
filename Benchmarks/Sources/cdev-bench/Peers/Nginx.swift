import Glibc

/// nginx that answers 200 with two bytes and writes no log.
struct Nginx {
    let child: Child
    let port: UInt16

    init(_ bench: Bench, _ program: String) throws {
        let directory = try bench.makeDirectory("n")
        port = UInt16.random(in: 20_000..<30_000)
        let user = geteuid() == 0 ? "user root;" : ""
        let text = """
            \(user) worker_processes 1; daemon off; pid \(directory)/pid; error_log /dev/null;
            events { worker_connections 64; }
            http {
                access_log off; keepalive_requests 100000000;
                client_body_temp_path \(directory); proxy_temp_path \(directory); fastcgi_temp_path \(directory);
                uwsgi_temp_path \(directory); scgi_temp_path \(directory);
                server { listen 127.0.0.1:\(port); location / { return 200 "ok"; } }
            }
            """
        try bench.write(text, to: directory + "/nginx.conf")
        child = try Launch(program, ["-p", directory, "-c", directory + "/nginx.conf"]).start()
        let port = port
        try Clock.wait(seconds: 5, for: "nginx") { (try? StreamSocket.loopback(port)) != nil }
    }
}

enum Wrk {
    /// Requests per second of one thread with 16 connections.
    static func rate(_ program: String, _ url: String) throws -> Double {
        let run = try Launch(program, ["-t1", "-c16", "-d1s", url]).run()
        let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("Requests/sec:") }),
            let rate = Double(line.split(separator: " ").last ?? "")
        else { throw BenchError("wrk failed: \(lines.joined(separator: " "))") }
        return rate
    }
}
