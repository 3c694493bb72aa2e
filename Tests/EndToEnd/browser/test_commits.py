"""The commits of a project, what was put aside, and how a pull joins what both sides have: at a scripted daemon."""
import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE
from test_access import axe, too_small_in
from test_repository import CHANGES, DIFF, DRIVER, Repository

WHOLE = DIFF + """diff --git a/docs/old name.md b/docs/new name.md
similarity index 90%
rename from docs/old name.md
rename to docs/new name.md
--- a/docs/old name.md
+++ b/docs/new name.md
@@ -1 +1 @@
-before
+after
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
"""


class Past(Repository):
    """What git would say of commits and stashes, too."""

    def __init__(self, double):
        super().__init__(double)
        self.commits = [{"sha": f"{number:040x}", "message": f"Commit {number}", "author": "Ana", "committed_at": "2026-11-24T09:00:00Z", "date": "", "parents": ["x", "y"] if number == 2 else ["x"], "body": ""}
                        for number in range(1, 46)]
        self.stashes = [{"index": number, "ref": f"stash@{{{number}}}", "sha": f"{number}" * 40, "message": name, "created_at": "2026-11-24T09:00:00Z"} for number, name in enumerate(["On main: half a retry", ""])]
        double.parameters["workspace/git/pull"] = ["rebase", "workspace_id"]
        double.methods |= {
            "workspace/git/log": lambda params: {"commits": self.commits[:params["limit"]], "has_more": len(self.commits) > params["limit"]},
            "workspace/git/show": lambda params: {**next(one for one in self.commits if one["sha"] == params["sha"]), "body": "Because the bank is slow.\n", "files": [], "files_changed": 3, "diff": WHOLE, "truncated": False, "is_sensitive": False},
            "workspace/git/stash/list": lambda _: {"stashes": self.stashes, "truncated": False},
            **{f"workspace/git/stash/{name}": self.stash(name) for name in ("push", "pop", "apply", "drop")},
        }

    def stash(self, name):
        def act(params):
            params.pop("workspace_id")
            self.done.append((name, params))
            if name in self.fails:
                return {"success": False, **self.fails[name]}
            if name in ("pop", "drop"):
                self.stashes = [one for one in self.stashes if one["sha"] != params["sha"]]
            return {"success": True, "message": f"{name} is done", "output": ""}
        return act


@pytest.fixture
def shop(double):
    def make(size=SMALL, rights=DRIVER, **options):
        at = talk.serve(double(size, rights=rights, **options), talk.story())
        at.repository = Past(at)
        return at

    return make


def unfold(page, name):
    page.get_by_role("region", name=name).get_by_role("button", name=name).first.click()
    return page.get_by_role("region", name=name)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_commits_unfold_to_what_they_changed(shop, size, scheme):
    at = shop(size, color_scheme=scheme, reduced_motion="reduce").open(CHANGES)
    page = at.page
    commits = page.get_by_role("region", name="Commits")
    expect(commits).to_be_visible()
    assert at.asked("workspace/git/log") == [], "nothing is asked before it is unfolded"
    unfold(page, "Commits")
    expect(commits.locator(".commit-row")).to_have_count(20)
    second = commits.locator(".commit-row").nth(1)
    expect(second).to_contain_text("Ana · ")
    expect(second).to_contain_text("joins two branches")
    second.get_by_role("button").first.click()
    expect(second).to_contain_text("Because the bank is slow.")
    expect(second).to_contain_text("3 files changed, against the branch it was merged into")
    expect(second.locator("h3")).to_have_text(["src/pay.js", "docs/new name.md", "run.sh"])
    expect(second.locator("ins.line")).to_have_count(3)
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"commits-{size['width']}-{scheme}")
    commits.get_by_role("button", name="Show older commits").click()
    expect(commits.locator(".commit-row")).to_have_count(40)
    expect(second.locator("ins.line")).to_have_count(3)
    commits.get_by_role("button", name="Show older commits").click()
    expect(commits.locator(".commit-row")).to_have_count(45)
    expect(commits.get_by_role("button", name="Show older commits")).to_be_hidden()
    assert len(at.asked("workspace/git/show")) == 1


def test_a_new_commit_comes_by_itself_and_what_is_unfolded_stays(shop):
    at = shop().open(CHANGES)
    page = at.page
    commits = unfold(page, "Commits")
    commits.locator(".commit-row").first.get_by_role("button").first.click()
    expect(commits.locator("ins.line")).to_have_count(3)
    at.repository.commits.insert(0, {**at.repository.commits[0], "sha": "f" * 40, "message": "Newer"})
    at.repository.ahead = 3
    at.say("git_status_changed", workspace_id=talk.WORKSPACE, branch="main", staged_count=0, unstaged_count=0, untracked_count=0, changed_files=[])
    expect(commits.locator(".commit-row").first).to_contain_text("Newer")
    expect(commits.locator(".commit-row").nth(1).locator("ins.line")).to_have_count(3)


def test_what_is_put_aside_is_taken_back_copied_and_deleted_with_a_second_step(shop):
    at = shop().open(CHANGES)
    page, done = at.page, at.repository.done
    aside = unfold(page, "Put aside")
    expect(aside.locator(".stash")).to_have_count(2)
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture("stashes")
    aside.get_by_label("What is put aside").fill("half of it")
    aside.get_by_label("New files too").uncheck()
    aside.get_by_role("button", name="Put the changes aside").click()
    expect(aside.get_by_label("What is put aside")).to_have_value("")
    aside.get_by_role("button", name="Copy back: On main: half a retry").click()
    expect(page.locator(".changes > .note-box")).to_contain_text("apply is done")
    aside.get_by_role("button", name="Delete: Without a name").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("They are gone for good.")
    expect(dialog.get_by_role("button", name="Keep")).to_be_focused()
    dialog.get_by_role("button", name="Keep").click()
    aside.get_by_role("button", name="Delete: Without a name").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(aside.locator(".stash")).to_have_count(1)
    aside.get_by_role("button", name="Take back: On main: half a retry").click()
    expect(aside).to_contain_text("Nothing is put aside.")
    assert done == [("push", {"message": "half of it", "include_untracked": False}), ("apply", {"index": 0, "sha": "0" * 40}),
                    ("drop", {"index": 1, "sha": "1" * 40}), ("pop", {"index": 0, "sha": "0" * 40})]


def test_what_is_refused_of_it_is_said(shop):
    at = shop()
    at.repository.fails = {"pop": {"error": "Conflicts", "conflicted_files": ["src/app.ts"]}}
    page = at.open(CHANGES).page
    unfold(page, "Put aside").get_by_role("button", name="Take back: On main: half a retry").click()
    expect(page.locator(".changes .alarm")).to_contain_text("Taking it back did not work: Conflicts. In conflict: src/app.ts.")


@pytest.mark.parametrize(("answer", "asked"), [("Merge", [{"rebase": False}]), ("Rebase", [{"rebase": True}]), ("Leave it", [])])
def test_how_a_pull_joins_both_sides_is_chosen(shop, answer, asked):
    at = shop().open(CHANGES)
    page = at.page
    page.get_by_role("button", name="Pull 1").click()
    dialog = page.get_by_role("dialog", name="Both sides have new commits")
    expect(dialog).to_contain_text("A rebase puts yours on top of theirs")
    expect(dialog.get_by_role("button", name="Leave it")).to_be_focused()
    assert (axe(page), too_small_in(page)) == ([], [])
    at.picture("pull")
    dialog.get_by_role("button", name=answer).click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Fetch").click()
    expect(page.locator(".changes > .note-box")).to_contain_text("fetch is done")
    assert at.repository.done == [*(("pull", one) for one in asked), ("fetch", {})]


def test_a_pull_of_one_side_asks_nothing_unless_git_does(shop):
    at = shop()
    at.repository.ahead, at.repository.fails = 0, {"pull": {"error": "Both went on", "kind": "diverged"}}
    page = at.open(CHANGES).page
    page.get_by_role("button", name="Pull 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Rebase").click()
    expect(page.locator(".changes .alarm")).to_contain_text("Rebasing did not work: Both went on.")
    assert at.repository.done == [("pull", {}), ("pull", {"rebase": True})]


def test_amid_a_rebase_it_says_how_it_goes_on(shop):
    at = shop()
    status = at.methods["workspace/git/status"]
    at.methods["workspace/git/status"] = lambda params: {**status(params), "operation": "rebase"}
    expect(at.open(CHANGES).page.locator(".alarm.calm")).to_contain_text("go on at the computer with “git rebase --continue”")


def test_who_may_not_drive_sees_commits_and_what_is_put_aside(shop):
    at = shop(rights=("read", "decide")).open(CHANGES)
    page = at.page
    expect(unfold(page, "Put aside").locator(".stash")).to_have_count(2)
    expect(unfold(page, "Commits").locator(".commit-row")).to_have_count(20)
    for name in ("Take back", "Copy back", "Delete", "Put the changes aside"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_an_older_daemon_has_neither(shop):
    at = shop()
    for name in ("log", "stash/list"):
        del at.methods[f"workspace/git/{name}"]
    page = at.open(CHANGES).page
    expect(page.locator(".areas h2").first).to_be_visible()
    for name in ("Commits", "Put aside"):
        expect(page.get_by_role("region", name=name)).to_have_count(0)


def test_it_is_done_by_keys_alone(shop):
    at = shop(WIDE).open(CHANGES)
    page = at.page
    page.get_by_role("region", name="Put aside").get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".stash")).to_have_count(2)
    page.keyboard.press("Tab")
    page.keyboard.type("mine")
    page.keyboard.press("Enter")
    expect(page.get_by_label("What is put aside")).to_have_value("")
    page.get_by_role("region", name="Commits").get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".commit-row")).to_have_count(20)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".commit-row").first.locator("ins.line")).to_have_count(3)
    assert at.repository.done == [("push", {"message": "mine", "include_untracked": True})]
