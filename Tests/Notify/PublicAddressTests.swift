import Notify
import Testing

@Suite struct PublicAddressTests {
    @Test(
        arguments: [
            [8, 8, 8, 8], [100, 63, 255, 255], [100, 128, 0, 0], [172, 15, 0, 1], [172, 32, 0, 1], [169, 253, 1, 1],
            [223, 255, 255, 255], [192, 167, 0, 1], [198, 20, 0, 0],
        ] as [[UInt8]])
    func isPublic(address: [UInt8]) {
        #expect(PublicAddress.isPublic(address))
        #expect(PublicAddress.isPublic([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255] + address))
        #expect(PublicAddress.isPublic([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + address))
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [10, 1, 2, 3], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1], [127, 9, 9, 9],
            [169, 254, 169, 254], [172, 16, 0, 1], [172, 31, 255, 255], [192, 0, 0, 8], [192, 168, 1, 1],
            [198, 19, 1, 1],
            [224, 0, 0, 1], [255, 255, 255, 255],
        ] as [[UInt8]])
    func isPrivate(address: [UInt8]) {
        #expect(!PublicAddress.isPublic(address))
        #expect(!PublicAddress.isPublic([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255] + address))
        #expect(!PublicAddress.isPublic([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + address))
        #expect(!PublicAddress.isPublic([0x20, 0x02] + address + [UInt8](repeating: 0, count: 10)), "6to4")
    }

    @Test(
        arguments: [
            ([0x20, 0x01, 0x48, 0x60], true), ([0x2A, 0], true), ([0xFE, 0x80], false), ([0xFC, 0], false),
            ([0xFD, 0x12], false), ([0xFF, 0x02], false), ([0x20, 0x01, 0x0D, 0xB8], false),
            ([0x20, 0x01, 0, 0], false),
            ([0, 0], false),
        ] as [([UInt8], Bool)])
    func sixteenBytes(start: [UInt8], isPublic: Bool) {
        #expect(PublicAddress.isPublic(start + [UInt8](repeating: 0, count: 15 - start.count) + [1]) == isPublic)
    }

    @Test func nothingElseIsAnAddress() {
        #expect(!PublicAddress.isPublic([]) && !PublicAddress.isPublic([8, 8, 8]))
    }
}
