import Core
import Dialects
import Testing

/// Each part of what an agent says reaches an editor once, whoever tells of it first.
@Suite struct ACPShownTests {
    private var shown = ACPShown()

    private func message(_ id: String, _ text: String, flags: TranscriptLine.Flags = []) -> TranscriptMessage {
        TranscriptMessage(
            kind: .assistant, flags: flags, uuid: id, parent: nil, time: nil, branch: nil, agentID: nil,
            message: ["content": [["type": "text", "text": .string(text)]]])
    }

    private mutating func add(_ texts: String...) -> String {
        texts.flatMap { shown.add(ChildDelta(kind: .text, text: $0)) }.map(\.text).joined()
    }

    @Test mutating func piecesComeBeforeTheirMessage() {
        #expect(add("one ", "heron") == "one heron")
        #expect(shown.hear(message("1", "one heron, two")) == [.text: 9])
        #expect(add("three") == "three")
    }

    @Test mutating func piecesOfAMessageThatTheTranscriptToldAreNotSent() {
        #expect(shown.read(message("1", "one heron")) == [:])
        #expect(add("one ", "heron") == "")
        #expect(shown.hear(message("1", "one heron")) == nil)
        #expect(add("two") == "two")
        #expect(shown.hear(message("2", "two")) == [.text: 3])
    }

    @Test mutating func piecesOfSeveralThatTheTranscriptToldAreNotSent() {
        for (id, text) in [("1", "one"), ("2", "two")] { #expect(shown.read(message(id, text)) == [:]) }
        #expect(add("one") == "" && shown.hear(message("1", "one")) == nil)
        #expect(add("tw", "o") == "" && shown.hear(message("2", "two")) == nil)
    }

    @Test mutating func piecesThatOnlyBeginAlikeAreSentOnceTheyDiffer() {
        #expect(shown.read(message("1", "one heron")) == [:])
        #expect(add("one ") == "")
        #expect(add("stork") == "one stork")
        #expect(add("s") == "s")
        #expect(shown.hear(message("2", "one storks")) == [.text: 10])
    }

    @Test mutating func aMessageThatBeganAsAnotherIsSentWhole() {
        #expect(shown.read(message("1", "one heron")) == [:])
        #expect(add("one") == "")
        #expect(shown.hear(message("2", "one")) == [:])
    }

    @Test mutating func whatCameInPiecesIsNotTakenFromTheNextMessage() {
        #expect(add("one") == "one")
        #expect(shown.read(message("1", "one")) == [.text: 3])
        #expect(shown.hear(message("1", "one")) == nil)
        #expect(shown.hear(message("2", "two herons")) == [:])
    }

    @Test mutating func aConnectionGoesOnInTheMiddleOfAMessage() {
        shown.goOn(behind: [.text: 4])
        shown.skip(message("1", "before"))
        #expect(shown.hear(message("1", "before")) == nil)
        #expect(add("one heron") == "")
        #expect(shown.hear(message("2", "one heron")) == [.text: 4])
        #expect(add("two") == "two")
    }

    @Test mutating func aSubagentSpeaksInTheMiddleOfAMessage() {
        #expect(add("one ") == "one ")
        #expect(shown.hear(message("1", "a stork", flags: .sidechain)) == [:])
        #expect(add("heron") == "heron")
        #expect(shown.hear(message("2", "one heron")) == [.text: 9])
    }

    @Test mutating func aMessageThatEndsInTheMiddleIsForgotten() {
        #expect(add("one") == "one")
        shown.endMessage()
        #expect(shown.hear(message("1", "two")) == [:])
    }

    @Test mutating func whatAnEditorHasIsBounded() {
        for index in 0..<1000 { #expect(shown.hear(message("\(index)", "one")) == [:]) }
        #expect(shown.hear(message("999", "one")) == nil && shown.hear(message("800", "one")) == nil)
        #expect(shown.hear(message("799", "one")) == [:])
    }
}
