"""The page's rules by themselves, in the browser that runs them: modules that need neither a daemon's answer nor a page."""
import pytest

MODEL = """async (steps) => {
  const { Model } = await import('/js/state/model.js');
  const { Deck } = await import('/js/state/deck.js');
  const model = new Model(), deck = new Deck(model);
  const at = (seconds) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
  const data = (id, due, opening = 1, session = 's') => ({ request_id: id, opening, deadline: at(due), created_at: at(0), session_id: session });
  const acts = {
    asked: (id, due, opening, session) => { if (model.take({ method: 'event/pty_permission', params: data(id, due, opening, session) }).opened.length) deck.arrives(id); },
    ended: (id, opening = 1) => model.take({ method: 'event/pty_permission_resolved', params: { request_id: id, opening, decision: 'deny', resolved_by: 'local' } })
      .ended.forEach((gone) => deck.leaves(gone)),
    listed: (before, ...cards) => { const { opened, ended } = model.reconcile(new Set(before), cards.map(([id, due, opening]) => data(id, due, opening)));
      opened.forEach((id) => deck.arrives(id)); ended.forEach((id) => deck.leaves(id)); },
    swept: (id) => deck.sweep(id),
    gathered: () => deck.gather(),
    turned: (pages) => deck.turn(pages),
  };
  for (const [name, ...words] of steps) acts[name](...words);
  return { order: deck.order, held: [...deck.held], open: model.openCards.map((card) => card.id), page: deck.page,
           next: deck.neighbour(deck.order[0] ?? null, 1) };
}"""


@pytest.fixture(scope="module")
def run(chromium, tmp_path_factory):
    """Calls a script in a page that holds nothing but the modules."""
    page = chromium.new_context().new_page()
    from harness.daemon import REPOSITORY
    web = REPOSITORY / "web"

    def serve(route):
        path = route.request.url.removeprefix("http://page.test/")
        kind = "text/javascript" if path else "text/html"
        route.fulfill(body=(web / path).read_text() if path else "<!doctype html>", content_type=kind)

    page.route("http://page.test/**", serve)
    page.goto("http://page.test/")
    yield page.evaluate
    page.context.close()


CASES = {
    "later ones go to the end": ([("asked", "a", 60), ("asked", "b", 61)], {"order": ["a", "b"], "held": []}),
    "one due at the same time goes to the end": ([("asked", "b", 60), ("asked", "a", 60)], {"order": ["b", "a"], "held": []}),
    "one due sooner waits": ([("asked", "a", 60), ("asked", "b", 30)], {"order": ["a"], "held": ["b"]}),
    "and whatever comes after it waits too": ([("asked", "a", 60), ("asked", "b", 30), ("asked", "c", 90)], {"order": ["a"], "held": ["b", "c"]}),
    "until asked for": ([("asked", "a", 60), ("asked", "b", 30), ("gathered",)], {"order": ["b", "a"], "held": []}),
    "what ended keeps its place": ([("asked", "a", 60), ("asked", "b", 61), ("ended", "a")], {"order": ["a", "b"], "open": ["b"]}),
    "until it is swept": ([("asked", "a", 60), ("asked", "b", 61), ("ended", "a"), ("swept", "a")], {"order": ["b"], "open": ["b"]}),
    "what is open is not swept": ([("asked", "a", 60), ("swept", "a")], {"order": ["a"], "open": ["a"]}),
    "what ended while it waited is gone": ([("asked", "a", 60), ("asked", "b", 30), ("ended", "b")], {"held": [], "open": ["a"]}),
    "an old event does not open it again": ([("asked", "a", 60), ("ended", "a"), ("asked", "a", 60)], {"open": []}),
    "an end heard before its beginning counts": ([("ended", "a"), ("asked", "a", 60)], {"open": [], "order": []}),
    "the next opening is open": ([("asked", "a", 60), ("ended", "a"), ("asked", "a", 90, 2)], {"open": ["a"], "order": ["a"]}),
    "the end of an earlier opening does not end it": ([("asked", "a", 60, 2), ("ended", "a", 1)], {"open": ["a"]}),
    "what is not listed any more has ended": ([("asked", "a", 60), ("listed", ["a"])], {"open": []}),
    "unless it came after the query": ([("asked", "a", 60), ("listed", [])], {"open": ["a"]}),
    "a list that is older than an end opens nothing": ([("asked", "a", 60), ("ended", "a"), ("listed", ["a"], ["a", 60, 1])], {"open": []}),
    "a list opens what was missed": ([("listed", [], ["a", 60, 1], ["b", 61, 1])], {"open": ["a", "b"], "order": ["a", "b"]}),
    "keys pass over what ended": ([("asked", "a", 60), ("asked", "b", 61), ("asked", "c", 62), ("ended", "b")], {"next": "c"}),
    "another session stands behind the last one": ([("asked", "a", 60), ("asked", "b", 61, 1, "t"), ("asked", "c", 90, 1, "t")], {"order": ["a", "b", "c"], "held": []}),
    "and may be due sooner than the last of it": ([("asked", "a", 60), ("asked", "b", 90), ("asked", "c", 70, 1, "t")], {"order": ["a", "b", "c"], "held": []}),
    "but not sooner than its first": ([("asked", "a", 60), ("asked", "b", 90), ("asked", "c", 50, 1, "t")], {"order": ["a", "b"], "held": ["c"]}),
    "what is asked for comes session by session": (
        [("asked", "a", 60), ("asked", "b", 61, 1, "t"), ("asked", "c", 62), ("asked", "d", 62, 1, "t"), ("asked", "e", 62), ("gathered",)],
        {"order": ["a", "c", "e", "b", "d"]}),
    "keys stop at the end": ([("asked", "a", 60)], {"next": None}),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_on_the_table(run, name):
    steps, wanted = CASES[name]
    found = run(MODEL, steps)
    assert {key: found[key] for key in wanted} == wanted


def test_forty_at_a_time(run):
    steps = [("asked", f"r{number:03}", 60 + number) for number in range(95)]
    assert len(run(MODEL, steps)["page"]) == 40
    assert run(MODEL, [*steps, ("turned", 1)])["page"][0] == "r040"
    assert run(MODEL, [*steps, ("turned", 9)])["page"] == [f"r{number:03}" for number in range(80, 95)]
    assert run(MODEL, [*steps, ("turned", 9), ("turned", -9)])["page"][0] == "r000"


GATE = """async (steps) => {
  const { Gate } = await import('/js/state/gate.js');
  let now = 0;
  const gate = new Gate(() => now), said = [];
  for (const [name, ...words] of steps) {
    if (name === 'wait') now += words[0];
    else if (name === 'admits') said.push(gate.admits(...words));
    else gate[name](...words);
  }
  return said;
}"""

PRESSES = {
    "pressed after it settled": ([("moved", "a"), ("wait", 500), ("press", "a", "x"), ("admits", "a", "x")], [True]),
    "pressed too soon": ([("moved", "a"), ("wait", 499), ("press", "a", "x"), ("wait", 600), ("admits", "a", "x")], [False]),
    "moved between down and up": ([("moved", "a"), ("wait", 500), ("press", "a", "x"), ("moved", "a"), ("admits", "a", "x")], [False]),
    "moved and settled between down and up": ([("moved", "a"), ("wait", 500), ("press", "a", "x"), ("moved", "a"), ("wait", 900), ("admits", "a", "x")], [False]),
    "another card comes up": ([("moved", "a"), ("moved", "b"), ("wait", 500), ("press", "a", "x"), ("admits", "b", "x")], [False]),
    "another control comes up": ([("moved", "a"), ("wait", 500), ("press", "a", "x"), ("admits", "a", "y")], [False]),
    "gone between down and up": ([("moved", "a"), ("wait", 500), ("press", "a", "x"), ("gone", "a"), ("admits", "a", "x")], [False]),
    "one press is good once, and then as from a screen reader": ([("moved", "a"), ("wait", 500), ("press", "a", "x"), ("admits", "a", "x"), ("moved", "a"), ("admits", "a", "x")], [True, False]),
    "a screen reader presses nothing": ([("moved", "a"), ("wait", 500), ("admits", "a", "x")], [True]),
    "not even a screen reader at once": ([("moved", "a"), ("admits", "a", "x")], [False]),
    "a card nobody laid out": ([("admits", "a", "x")], [False]),
}


@pytest.mark.parametrize("name", PRESSES)
def test_what_a_press_sets_off(run, name):
    steps, wanted = PRESSES[name]
    assert run(GATE, steps) == wanted


@pytest.mark.parametrize(("text", "wanted"), [
    ("plain\ttext\n", [{"text": "plain\ttext\n"}]), ("a\u202eb", [{"text": "a"}, {"hidden": "U+202E"}, {"text": "b"}]),
    ("\u0000", [{"hidden": "U+0000"}]), ("\u00a0\u00ad", [{"hidden": "U+00A0"}, {"hidden": "U+00AD"}]), ("é\u4e2d\U0001f600\ufe0f", [{"text": "é\u4e2d\U0001f600\ufe0f"}]),
    ("\U000e0041", [{"hidden": "U+E0041"}]), ("", []),
    *[(character, [{"hidden": "U+%04X" % ord(character)}]) for character in "\x08\r\u0378\u034f\u2000\u200a\u2028\u2800\u3164\ue000\ufe0e\ufff0\U000e0100\U0010ffff"]])
def test_what_nobody_would_see(run, text, wanted):
    assert run("text => import('/js/text/characters.js').then(({ pieces }) => pieces(text))", text) == wanted


@pytest.mark.parametrize(("milliseconds", "wanted"), [(0, "0:00"), (900, "0:01"), (60_000, "1:00"), (3_599_000, "59:59"), (3_600_000, "1 h"), (5_400_000, "1 h 30 min"), (-5, "0:00")])
def test_the_time_that_is_left(run, milliseconds, wanted):
    assert run("time => import('/js/text/words.js').then(({ left }) => left(time))", milliseconds) == wanted


@pytest.mark.parametrize(("resolver", "wanted"), [
    ("device my phone", "my phone"), ("rule rule_x", "a session rule"), ("local", "somebody at the computer"),
    ("link ntfy", "a link (ntfy)"), (None, "somebody else"), ("something new", "something new")])
def test_who_decided(run, resolver, wanted):
    assert run("resolver => import('/js/text/words.js').then(({ who }) => who(resolver))", resolver) == wanted


@pytest.mark.parametrize(("resolver", "wanted"), [
    ("device my phone", " by my phone"), ("rule rule_x", " by a session rule"), ("hook gone", ", as Claude stopped waiting"),
    ("timeout", ", as nobody answered in time"), ("no approver", ", as nobody was there to ask"),
    ("session limit", ", as too many requests of its session were open"), ("constructor", " by constructor"), (None, " by somebody else")])
def test_what_stands_behind_a_decision(run, resolver, wanted):
    assert run("resolver => import('/js/text/words.js').then(({ cause }) => cause(resolver))", resolver) == wanted


@pytest.mark.parametrize(("resolver", "reason", "wanted"), [
    ("device phone", "allowed by phone", ""), ("device phone", "too broad", "too broad"), ("timeout", "nobody answered within 60 s", "within 60 s"),
    ("timeout", "nobody answered in time", ""), ("no approver", "nobody answered within 60 s", "nobody answered within 60 s")])
def test_nothing_is_said_twice(run, resolver, reason, wanted):
    end = {"decision": "allow", "resolved_by": resolver, "reason": reason}
    assert run("end => import('/js/text/words.js').then(({ more }) => more(end))", end) == wanted


PATTERNS = """async (canChoose) => {
  const { Patterns } = await import('/js/views/patterns.js');
  return new Patterns(['Bash(ls:*)', 'Bash(touch:*)'], { title: '' }, canChoose, () => {}).params;
}"""


def test_what_is_granted_is_what_was_shown(run):
    """Also where nothing was taken out: a card that is opened again may offer others between drawing and pressing."""
    assert run(PATTERNS, True) == {"patterns": ["Bash(ls:*)", "Bash(touch:*)"]}
    assert run(PATTERNS, False) == {}, "an older daemon grants all of them or none"


MARKDOWN = """text => import('/js/text/markdown.js').then(({ markdown }) => {
  const brief = (node) => [node.type, ...(node.text === undefined ? [] : [node.text]), ...(node.info ? [node.info] : []), ...(node.url === undefined ? [] : [node.url]), ...(node.level ? [node.level] : []),
    ...(node.type === 'list' ? [node.ordered ? node.start : '-'] : []), ...(node.children ?? []).map(brief)];
  return (markdown(text).children ?? []).map(brief);
})"""

PARAGRAPH = [
    ("plain", [["text", "plain"]]), ("a **b** c", [["text", "a "], ["strong", ["text", "b"]], ["text", " c"]]), ("*a **b** c*", [["emph", ["text", "a "], ["strong", ["text", "b"]], ["text", " c"]]]),
    ("snake_case_name and __init__", [["text", "snake_case_name and "], ["strong", ["text", "init"]]]), ("2 * 3 * 4", [["text", "2 * 3 * 4"]]), ("`a * b`", [["code", "a * b"]]),
    ("``a ` b``", [["code", "a ` b"]]), ("a ` b", [["text", "a "], ["text", "`"], ["text", " b"]]), ("~~no~~", [["struck", ["text", "no"]]]), ("\\*a\\*", [["text", "*"], ["text", "a"], ["text", "*"]]),
    ("[a](https://b.example/c)", [["link", "https://b.example/c", ["text", "a"]]]), ("![a](https://b.example/c.png)", [["link", "https://b.example/c.png", ["text", "a"]]]),
    ("[a](javascript:x)", [["link", "javascript:x", ["text", "a"]]]), ("[not a link] (x)", [["text", "[not a link] (x)"]]), ("<https://a.example>", [["text", "https://a.example"]]),
    ("<b>x</b> &amp;", [["text", "<b>x</b> &amp;"]]), ("one\ntwo", [["text", "one"], ["softbreak"], ["text", "two"]]), ("one  \ntwo", [["text", "one  "], ["linebreak"], ["text", "two"]]),
]


@pytest.mark.parametrize(("text", "wanted"), PARAGRAPH)
def test_markdown_within_a_paragraph(run, text, wanted):
    assert run(MARKDOWN, text) == [["paragraph", *wanted]]


BLOCKS = [
    ("# a\n## b", [["heading", 1, ["text", "a"]], ["heading", 2, ["text", "b"]]]), ("#no", [["paragraph", ["text", "#no"]]]),
    ("```js title\na\n  b\n```\nc", [["code_block", "a\n  b", "js title"], ["paragraph", ["text", "c"]]]), ("```\nnever closed", [["code_block", "never closed"]]),
    ("````\n```\n````", [["code_block", "```"]]), ("    a\n      b", [["code_block", "a\n  b"]]), ("---", [["thematic_break"]]), ("> a\n> b", [["block_quote", ["paragraph", ["text", "a"], ["softbreak"], ["text", "b"]]]]),
    ("- a\n- b", [["list", "-", ["item", ["paragraph", ["text", "a"]]], ["item", ["paragraph", ["text", "b"]]]]]),
    ("3. a\n4. b", [["list", 3, ["item", ["paragraph", ["text", "a"]]], ["item", ["paragraph", ["text", "b"]]]]]),
    ("- a\n  - b\n- c", [["list", "-", ["item", ["paragraph", ["text", "a"]], ["list", "-", ["item", ["paragraph", ["text", "b"]]]]], ["item", ["paragraph", ["text", "c"]]]]]),
    ("1. a\n\n   ```sh\n   b\n   ```\n2. c", [["list", 1, ["item", ["paragraph", ["text", "a"]], ["code_block", "b", "sh"]], ["item", ["paragraph", ["text", "c"]]]]]),
    ("a\n- b", [["paragraph", ["text", "a"]], ["list", "-", ["item", ["paragraph", ["text", "b"]]]]]),
    ("| a | b |\n|---|:-:|\n| 1 | x\\|y |", [["table", ["row", ["cell", ["text", "a"]], ["cell", ["text", "b"]]], ["row", ["cell", ["text", "1"]], ["cell", ["text", "x|y"]]]]]),
    ("", []), ("\n\n", []),
]


@pytest.mark.parametrize(("text", "wanted"), BLOCKS)
def test_markdown_blocks(run, text, wanted):
    assert run(MARKDOWN, text) == wanted


@pytest.mark.parametrize("text", ["*a" * 20_000, "[" * 50_000, "`" * 50_001, "> " * 30_000, "- " * 30_000, "**a*b" * 10_000, "[a](" * 12_000, "~~a" * 15_000, "|" * 50_000 + "\n|-", "<" * 90_000,
                                  "`a" * 40_000, "``a`" * 20_000, "- a\n" * 20_000, "x" * 2_000_000,
                                  "# " + " " * 90_000 + "x", "|\n" + " " * 90_000 + "-x", "```" + " " * 90_000 + "`", " *b" * 33_000, "[a](b" + " " * 90_000 + ")", "- " * 45_000 + "x",
                                  "_a" * 45_000, "[a" * 30_000 + "](x)", "<a " * 30_000 + ">", "#" * 90_000, "a" + " " * 90_000 + "#\n" + "a |" * 3])
def test_no_markdown_takes_long(run, text):
    took = run("""text => import('/js/text/markdown.js').then(({ markdown }) => { const from = performance.now(); markdown(text); return performance.now() - from; })""", text)
    assert took < 1500


PATCH = "text => import('/js/text/patch.js').then(({ patch }) => patch(text))"


def test_a_diff_of_git_is_read(run):
    text = ("diff --git a/x b/x\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1,2 +1,2 @@ head\n a\n--- b\n+++ c\n"
            "\\ No newline at end of file\n@@ -9 +9,0 @@\n-d\n")
    found = run(PATCH, text)
    assert found["hunks"] == [
        {"old_start": 1, "new_start": 1, "lines": [{"op": " ", "text": "a"}, {"op": "-", "text": "-- b"}, {"op": "+", "text": "++ c", "no_newline": True}]},
        {"old_start": 9, "new_start": 9, "lines": [{"op": "-", "text": "d"}]}]
    assert (found["added"], found["removed"], found["isBinary"]) == (1, 2, False)
    assert found["notes"] == ["similarity index 90%", "rename from x", "rename to y"]
    assert run(PATCH, "diff --git a/x b/x\nBinary files a/x and b/x differ\n")["isBinary"] is True
    assert run(PATCH, "")["hunks"] == []
