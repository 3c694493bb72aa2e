import OrderedJSON
import TerminalView
import Testing

@Suite struct ScreenTests {
    static let sizes = [(80, 24), (120, 40), (40, 15), (24, 10), (300, 12), (10, 3), (1, 1)]

    private static let hostile =
        "\u{1B}[2J\u{9B}31m\u{1B}]0;t\u{7}\u{202E}x\r\n日本語🙂e\u{301}\u{200B}\t" + "長い".repeated(40)

    private static let cards: [JSON] = [
        Made.bash("r_1", hostile), Made.bash("r_2", String(repeating: "word ", count: 400)),
        Made.call(
            hostile, [hostile: .string(hostile), "deep": [[[[[hostile: [hostile: .string(hostile)]]]]]]], id: "r_3"),
        Made.call(
            "Edit", ["file_path": .string(hostile), "old_string": .string(hostile), "new_string": "x"], id: "r_4"),
        Made.call(
            "AskUserQuestion",
            [
                "questions": [
                    [
                        "question": .string(hostile), "multiSelect": true,
                        "options": [["label": .string(hostile), "description": .string(hostile)]],
                    ]
                ]
            ], id: "r_5"),
        Made.call("ExitPlanMode", ["plan": .string(hostile)], id: "r_6", more: ["cwd": .string(hostile)]),
        Made.call("WebFetch", ["url": .string("http://" + hostile)], id: "r_7", more: ["agent_type": .string(hostile)]),
        Made.bash("r_8", "x", patterns: [.string(hostile)], more: ["confirm": ["prompt": .string(hostile)]]),
    ]

    /// At every size, a frame has exactly the screen's rows, none is wider than the screen, and none holds a control
    /// character.
    @Test(arguments: sizes) func everyFrameFits(_ columns: Int, _ rows: Int) {
        for charset in [Charset.ascii, .utf8] {
            var stage = Stage(charset: charset, cards: Self.cards)
            stage.size = TerminalSize(columns: columns, rows: rows)
            let walk: [Key] =
                ["?", "x", "a", "s", "n", "m", "h", "e", "1", " "].map { .character($0) } + [.escape, .end]
            for _ in Self.cards {
                for key in walk {
                    stage.answer(key)
                    check(&stage, columns, rows, charset)
                }
                stage.answer(.escape)
                stage.answer(.down)
            }
        }
    }

    private func check(_ stage: inout Stage, _ columns: Int, _ rows: Int, _ charset: Charset) {
        let frame = stage.screen.frame(of: stage.model, size: stage.size, at: stage.now)
        #expect(frame.lines.count == rows)
        for line in frame.lines {
            #expect(line.width <= columns, "\(line.text)")
            for scalar in line.text.unicodeScalars {
                #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
                if charset == .ascii { #expect(scalar.value < 0x7F) }
            }
        }
    }

    /// The whole of a command can be read, page by page.
    @Test(arguments: [(80, 24), (40, 15), (24, 10)]) func nothingOfACommandIsLeftOut(_ columns: Int, _ rows: Int) {
        let command = (0..<300).map { "w\($0) " + "日".repeated($0 % 5) }.joined() + "\u{202E}end"
        var stage = Stage(cards: [Made.bash("r_1", command)])
        stage.size = TerminalSize(columns: columns, rows: rows)
        var seen: [String] = []
        for _ in 0..<2000 {
            let lines = stage.draw()
            for line in lines where line.hasPrefix("│ ") || line.hasPrefix("┆ ") {
                seen.append(String(line.dropFirst(2)))
            }
            stage.press(.character("J"))
            if stage.draw() == lines { break }
        }
        var unique: [String] = []
        // Each page is scrolled by one row, so it repeats all rows but one.
        for line in seen where !unique.contains(line) { unique.append(line) }
        #expect(unique.joined() == command.replacing("\u{202E}", with: #"\u{202E}"#))
    }

    @Test func theTimeLeftIsShown() {
        var stage = Stage(cards: [Made.bash(seconds: 75)])
        #expect(stage.text.contains("1:15 left") || stage.text.contains("1:14 left"))
        stage.wait(100_000)
        #expect(stage.text.contains("0:00 left"))
        var hours = Stage(cards: [Made.bash(seconds: 7500)])
        #expect(hours.text.contains("2h0"))
    }

    @Test func theListFollowsTheSelection() {
        var stage = Stage(cards: (10..<60).map { Made.bash("r_\($0)", "cmd\($0)", seconds: Double($0)) })
        for _ in 0..<30 { stage.press(.down) }
        #expect(stage.text.contains("31 of 50") && stage.text.contains("▸") && stage.text.contains("│ cmd40"))
        for _ in 0..<60 { stage.press(.up) }
        #expect(stage.text.contains("1 of 50"))
    }

    @Test func onlyWhatChangedIsWritten() {
        var stage = Stage(cards: [Made.bash(seconds: 75)])
        var writer = FrameWriter(hasColor: true)
        let whole = writer.bytes(for: stage.screen.frame(of: stage.model, size: stage.size, at: stage.now))
        #expect(writer.bytes(for: stage.screen.frame(of: stage.model, size: stage.size, at: stage.now)) == [])
        stage.wait(1000)
        let part = writer.bytes(for: stage.screen.frame(of: stage.model, size: stage.size, at: stage.now))
        #expect(part.count < whole.count / 3 && !part.isEmpty)
        writer.forget()
        #expect(
            writer.bytes(for: stage.screen.frame(of: stage.model, size: stage.size, at: stage.now)).count >= whole.count
                - 50)
    }

    @Test(arguments: [true, false]) func colorsCanBeSwitchedOff(_ hasColor: Bool) {
        let edit = Made.call("Edit", ["file_path": "/a", "old_string": "a", "new_string": "b"])
        var stage = Stage(cards: [edit])
        var writer = FrameWriter(hasColor: hasColor)
        let bytes = writer.bytes(for: stage.screen.frame(of: stage.model, size: stage.size, at: stage.now))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\u{1B}[0;32m") == hasColor && text.contains("\u{1B}[0;31m") == hasColor)
        #expect(text.contains("\u{1B}[0;1;7m"), "bold and reversed stay")
        #expect(!text.contains(/\e\[[0-9;]*[349][0-7]m/) || hasColor)
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
