import OrderedJSON
import Testing

@Suite("JSON values in code")
struct ValueTests {
    @Test("literals and accessors")
    func literals() {
        let value: JSON = ["z": 1, "a": [nil, true, 1.5, "x"], "o": ["k": "v"]]
        #expect(value.serialized() == #"{"z":1,"a":[null,true,1.5,"x"],"o":{"k":"v"}}"#)
        #expect(value["z"]?.intValue == 1)
        #expect(value["a"]?.arrayValue?.count == 4)
        #expect(value["a"]?.arrayValue?[0].isNull == true)
        #expect(value["a"]?.arrayValue?[1].boolValue == true)
        #expect(value["a"]?.arrayValue?[2].doubleValue == 1.5)
        #expect(value["o"]?["k"]?.stringValue == "v")
        #expect(value["o"]?.objectValue?.isEmpty == false)
        #expect(value["missing"] == nil)
        #expect(value["z"]?["k"] == nil)
        #expect(value.stringValue == nil && value.intValue == nil && value.boolValue == nil && !value.isNull)
    }

    @Test("an object keeps its order while it changes")
    func object() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(JSON.object(object).serialized() == #"{"b":4,"a":2,"c":3}"#)
        object["b"] = nil
        object["nothing"] = nil
        object["b"] = 5
        #expect(object.keys == ["a", "c", "b"])
        #expect(object.map(\.value) == [2, 3, 5])
        let twice: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(JSON.object(twice).serialized() == #"{"a":3,"b":2}"#)
    }

    @Test("texts that only look alike are not equal")
    func exactStrings() throws {
        #expect(JSON.string(";") != JSON.string("\u{37E}"))
        #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
        let object = try JSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}").objectValue
        #expect(object?.count == 2)
        #expect(object?["e\u{301}"] == 2)
        let many = try JSON(parsing: "{" + (0..<40).map { "\"\($0)\":0," }.joined() + "\"K\":1,\"\u{212A}\":2}")
        #expect(many["K"] == 1)
        #expect(many["\u{212A}"] == 2)
    }

    @Test("equality and equivalence")
    func equality() throws {
        let one: JSON = ["a": [1, ["x": 1, "y": 2]], "b": nil]
        let other: JSON = ["b": nil, "a": [1, ["y": 2, "x": 1]]]
        #expect(one != other)
        #expect(one.isEquivalent(to: other))
        #expect(Set([one, one, other]).count == 2)
        #expect(!one.isEquivalent(to: ["b": nil, "a": [["y": 2, "x": 1], 1]]))
        #expect(!one.isEquivalent(to: ["b": nil]))
        #expect(!one.isEquivalent(to: ["c": nil, "a": [1, ["y": 2, "x": 1]]]))
        #expect(try JSON(parsing: "1.0") != JSON(parsing: "1"))
        #expect(JSON.null != JSON.bool(false))
    }

    @Test("written as bytes behind what is already there")
    func write() {
        var bytes = Array("x:".utf8)
        JSON.array(["é\u{1}", 2]).write(into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "x:[\"é\\u0001\",2]")
    }
}
