/// Whether two digests are the same, without stopping at the first difference: how long it takes tells nothing.
func sameDigest(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
