/// Returns true if two digests are equal. All bytes are compared, so that the time taken does not tell where they
/// differ.
func sameDigest(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
