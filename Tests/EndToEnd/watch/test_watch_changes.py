"""`cdev watch`: cards that come and go, and more than fit the screen."""
import re

from harness.checks import held_id
from harness.waiting import until


def test_two_people_answer(holding, watch, session):
    phone = holding.approver()
    held = session.bash("touch a")
    watch.shows("│ touch a")
    phone.respond(phone.card(), "deny")
    assert held.decision() == "deny"
    watch.shows("ENDED: denied by phone")
    watch.key("a", "has ended, denied by phone: nothing done")
    watch.shows("0 waiting")


def test_a_card_that_goes_leaves_the_next_one_alone(holding, watch, session):
    first, second = session.bash("touch a"), session.bash("touch b")
    watch.shows("2 waiting")
    watch.selects("touch a")
    # The key is typed in the very moment in which the card goes.
    holding.ok("deny", held_id(holding, first))
    watch.press("a", "a", "a")
    watch.selects("touch b")
    watch.press("a")
    # A busy machine reads it together with those before it.
    watch.shows("came only now|several keys at once")
    assert not second.answered()
    assert first.decision() == "deny"
    watch.key("a", "allowed: touch b")
    assert second.decision() == "allow"


def test_what_comes_sooner_does_not_move_the_selected_card(holding, watch, session):
    # Claude's own dialog may be answered for an hour, so this one ends late.
    held = session.bash("touch late", event="PermissionRequest")
    watch.shows("│ touch late")
    row = watch.row_of("│ touch late")
    session.bash("touch soon")
    watch.shows("2 waiting")
    watch.shows(r"(?s)touch soon.*▸ .*touch late")
    assert watch.row_of("│ touch late") == row
    watch.key("a", "allowed.*: touch late")
    assert held.decision() == "allow"


def test_keys_that_come_with_the_card_do_nothing(watch, session):
    for _ in range(5):
        watch.press("a")
    held = session.bash("touch a")
    for _ in range(20):
        watch.press("a")
    watch.shows("│ touch a")
    assert not held.answered()


def test_pasted_letters_do_nothing(watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch._tmux("set-buffer", "aaaa")
    watch._tmux("paste-buffer", "-p", "-t", "s")
    watch.shows("pasted text is no answer")
    assert not held.answered()


def test_moving_through_cards(watch, session):
    for name in "abc":
        session.bash(f"touch {name}")
        watch.shows(f"touch {name}")
    names = re.findall(r"touch ([abc])", "\n".join(watch.screen().splitlines()[1:4]))
    watch.press("k", "k")
    watch.selects(f"touch {names[0]}")
    watch.press("j")
    watch.selects(f"touch {names[1]}")
    watch.press("Down")
    watch.selects(f"touch {names[2]}")
    watch.press("k", "Up")
    watch.selects(f"touch {names[0]}")


def test_a_long_command_is_read_to_its_end_before_it_is_allowed(watch, session):
    held = session.bash("echo x\n" * 60 + "touch end")
    watch.shows(r"more below: space")
    watch.key("a", "more lines not shown yet")
    assert not held.answered()
    until(lambda: watch.press("Space") or "│ touch end" in watch.screen(), "the end", pause=0.1)
    watch.key("a", "allowed")
    assert held.decision() == "allow"


def test_a_command_larger_than_a_frame(watch, session):
    held = session.bash("echo " + "x" * 1_200_000 + " end")
    watch.shows("waiting")
    watch.shows("more below")
    watch.press("End")
    watch.shows("x end")
    assert "cut:" not in watch.screen()
    watch.key("d", "denied")
    assert held.decision() == "deny"


def test_many_cards(watch, holding):
    sessions = [holding.session() for _ in range(4)]
    held = [one.bash(f"touch f{number}") for one in sessions for number in range(50)]
    watch.shows("200 waiting", 20)
    watch.key("d", "denied")
    watch.shows("199 waiting")
    until(lambda: sum(one.answered() for one in held) == 1, "one answer")
