import CCurl

/// One HTTP exchange. Only the sender's thread uses it; libcurl calls back on that thread too.
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    private let curl: UnsafePointer<ccurl>
    private let answer: CheckedContinuation<ExchangeResult, Never>
    private let isForeign: Bool
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let gate = UnsafeMutablePointer<ccurl_gate>.allocate(capacity: 1)
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var body: [UInt8] = []
    private var retryAfter: Double?
    private var wasPrivate = false
    private var isTooLong = false

    static let longestAnswer = 65_536

    init?(
        _ request: OutgoingRequest, with curl: UnsafePointer<ccurl>, _ options: HTTPOptions,
        answer: CheckedContinuation<ExchangeResult, Never>
    ) {
        guard let easy = curl.pointee.easy_init() else { return nil }
        self.curl = curl
        self.easy = easy
        self.answer = answer
        isForeign = request.isForeign
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard prepare(request, options) else { return nil }
    }

    deinit {
        curl.pointee.easy_cleanup(easy)
        curl.pointee.slist_free_all(fields)
        gate.deallocate()
        errorText.deallocate()
    }

    func finish(_ result: ExchangeResult) {
        answer.resume(returning: result)
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
    }

    private func prepare(_ request: OutgoingRequest, _ options: HTTPOptions) -> Bool {
        gate.initialize(
            to: ccurl_gate(
                permits: { context, bytes, count in
                    CurlTransfer.from(context).permits(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
                        ? 1 : 0
                }, context: context))
        for field in request.headers + [("Expect", ""), ("User-Agent", "cdev")] {
            // A field without a value removes the field that libcurl would add.
            let line = field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)"
            guard let longer = curl.pointee.slist_append(fields, line) else { return false }
            fields = longer
        }
        let milliseconds = Int(options.seconds * 1000)
        // No proxy: one that the environment names would see what is sent, and would resolve the host names, so that
        // the check of addresses would not see them.
        let codes = [
            ccurl_set_text(curl, easy, CURLOPT_URL, request.url),
            ccurl_set_text(curl, easy, CURLOPT_PROTOCOLS_STR, request.isForeign ? "https" : "http,https"),
            ccurl_set_text(curl, easy, CURLOPT_PROXY, ""),
            ccurl_set_long(curl, easy, CURLOPT_FOLLOWLOCATION, 0),
            ccurl_set_long(curl, easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_long(curl, easy, CURLOPT_NETRC, 0),
            ccurl_set_long(curl, easy, CURLOPT_SSL_VERIFYPEER, 1),
            ccurl_set_long(curl, easy, CURLOPT_SSL_VERIFYHOST, 2),
            ccurl_set_long(curl, easy, CURLOPT_TIMEOUT_MS, milliseconds),
            ccurl_set_long(curl, easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
            ccurl_set_post(curl, easy, request.body, request.body.count),
            ccurl_set_pointer(curl, easy, CURLOPT_HTTPHEADER, fields),
            ccurl_set_pointer(curl, easy, CURLOPT_ERRORBUFFER, errorText),
            ccurl_set_writer(curl, easy, { CurlTransfer.from($3).take($0, $1 * $2) }, context),
            ccurl_set_header_reader(curl, easy, { CurlTransfer.from($3).takeField($0, $1 * $2) }, context),
            ccurl_set_gate(curl, easy, gate),
        ]
        return (codes + extras(options)).allSatisfy { $0 == CURLE_OK }
    }

    private func extras(_ options: HTTPOptions) -> [CURLcode] {
        var codes: [CURLcode] = []
        if options.isMultiplexed {
            codes = [
                ccurl_set_long(curl, easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
                // Requests that begin together wait for the first connection instead of opening one each.
                ccurl_set_long(curl, easy, CURLOPT_PIPEWAIT, 1),
            ]
        }
        if let authority = options.authority {
            codes.append(ccurl_set_text(curl, easy, CURLOPT_CAINFO, authority))
        }
        return codes
    }

    private func permits(_ address: [UInt8]) -> Bool {
        guard isForeign, !PublicAddress.isPublic(address) else { return true }
        wasPrivate = true
        return false
    }

    /// Takes a part of the body. Returning a number other than `count` ends the exchange.
    private func take(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        guard body.count + count <= Self.longestAnswer else {
            isTooLong = true
            return 0
        }
        UnsafeRawBufferPointer(start: bytes, count: count).withMemoryRebound(to: UInt8.self) { body += $0 }
        return count
    }

    private func takeField(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2, parts[0].lowercased() == "retry-after" {
            let digits = parts[1].filter { !$0.isWhitespace }
            retryAfter = UInt32(digits).map(Double.init)
        }
        return count
    }

    func result(_ code: CURLcode) -> ExchangeResult {
        if wasPrivate, code != CURLE_OK { return .failed("its address is in a private network") }
        if isTooLong { return .failed("the answer has more than \(Self.longestAnswer) bytes") }
        guard code == CURLE_OK else {
            let text = String(cString: errorText)
            return .failed(text.isEmpty ? String(cString: curl.pointee.easy_strerror(code)!) : text)
        }
        return .answered(status: ccurl_status(curl, easy), body: body, retryAfter: retryAfter)
    }
}
