"""Changes and files of a project, at a scripted daemon: what is shown, what is asked before it is done, and who may do it."""
import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE, Refusal
from test_access import axe, too_small_in

DRIVER = ("read", "decide", "report", "drive")
DIFF = """diff --git a/src/pay.js b/src/pay.js
index 1..2 100644
--- a/src/pay.js
+++ b/src/pay.js
@@ -4,5 +4,6 @@ export async function pay(order) {
   let last;
-  for (let attempt = 0; attempt < 3; attempt += 1) {
+  for (let attempt = 0; attempt < 5; attempt += 1) {
+    await pause(2 ** attempt * 1000);
     try {
       return await charge(order);
\\ No newline at end of file
"""


class Repository:
    """What git would say, and what was done to it."""

    def __init__(self, double):
        self.double, self.done = double, []
        self.staged = [{"path": "src/retry.js", "status": "A", "additions": 31, "deletions": 0}]
        self.unstaged = [{"path": "src/pay.js", "status": "M", "additions": 2, "deletions": 1}, {"path": "docs/a very long folder name/with another one/README.md", "status": "M"}]
        self.untracked = [{"path": "notes.txt", "status": "?"}]
        self.diff = DIFF
        self.conflicted, self.branch, self.ahead, self.behind, self.fails = [], "main", 2, 1, {}
        double.methods |= {
            "workspace/git/status": lambda _: {"branch": self.branch, "upstream": "origin/main", "ahead": self.ahead, "behind": self.behind, "staged": self.staged, "unstaged": self.unstaged,
                                               "untracked": self.untracked, "conflicted": self.conflicted, "repo_name": "shop-api", "repo_root": "/home/ana/shop-api"},
            "workspace/git/diff": lambda params: {"path": params["path"], "diff": self.diff, "is_staged": bool(params.get("staged")), "is_new": False},
            "workspace/git/branches": lambda _: {"current": self.branch, "upstream": "origin/main", "ahead": 0, "behind": 0, "branches": [
                {"name": "main", "is_current": True, "is_remote": False, "upstream": "origin/main"}, {"name": "feature/new", "is_current": False, "is_remote": False},
                {"name": "origin/main", "is_current": False, "is_remote": True}]},
            **{f"workspace/git/{name}": self.does(name) for name in ("stage", "unstage", "discard", "commit", "push", "pull", "fetch", "checkout")},
        }

    def does(self, name):
        def act(params):
            params.pop("workspace_id")
            self.done.append((name, params))
            if name in self.fails:
                if isinstance(self.fails[name], Refusal):
                    raise self.fails[name]
                return {"success": False, **self.fails[name]}
            if name == "stage":
                moved = [one for one in (*self.unstaged, *self.untracked) if one["path"] in params["paths"]]
                self.staged = self.staged + moved
                self.unstaged, self.untracked = ([one for one in some if one not in moved] for some in (self.unstaged, self.untracked))
            if name == "discard":
                self.unstaged, self.untracked = ([one for one in some if one["path"] not in params["paths"]] for some in (self.unstaged, self.untracked))
            if name == "commit":
                self.staged = []
                return {"success": True, "sha": "abc1234567", "message": "Committed 1 file", "files_committed": 1, "pushed": params.get("push", False)}
            if name == "checkout":
                self.branch = params["branch"]
            return {"success": True, "message": f"{name} is done"}
        return act


@pytest.fixture
def shop(double):
    """A page at the changes of a project."""
    def make(size=SMALL, rights=DRIVER, **options):
        at = talk.serve(double(size, rights=rights, **options), talk.story())
        at.repository = Repository(at)
        return at

    return make


CHANGES = f"#changes={talk.WORKSPACE}"


def row(at, path):
    return at.page.locator(".changed-file").filter(has_text=path)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_changed_is_shown_to_everybody(shop, size, scheme):
    at = shop(size, color_scheme=scheme, reduced_motion="reduce").open(CHANGES)
    page = at.page
    expect(page.locator(".areas h2")).to_have_text(["Staged 1", "Changed 2", "New 1"])
    expect(page.locator(".repository")).to_contain_text("2 to push · 1 to pull")
    row(at, "pay.js").locator(".disclose").click()
    expect(row(at, "pay.js").locator("ins.line")).to_have_count(2)
    page.get_by_label("Commit message").fill("Retry failed payments")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"changes-{size['width']}-{scheme}")
    if size is WIDE:
        page.get_by_role("button", name="Side by side").click()
        expect(row(at, "pay.js").locator(".beside")).to_have_count(5)
        assert axe(page) == []
        at.picture(f"changes-split-{scheme}")


def test_files_are_staged_and_committed(shop):
    at = shop().open(CHANGES)
    page, done = at.page, at.repository.done
    page.get_by_role("button", name="Stage src/pay.js").click()
    expect(page.locator(".areas h2")).to_have_text(["Staged 2", "Changed 1", "New 1"])
    page.get_by_role("button", name="Unstage src/retry.js").click()
    expect(page.get_by_role("button", name="Commit 2 files")).to_be_disabled()
    page.get_by_label("Commit message").fill("Retry failed payments")
    page.get_by_label("Push it too").check()
    page.get_by_role("button", name="Commit 2 files and push").click()
    expect(page.locator(".note-box").last).to_contain_text("Committed 1 file (abc1234)")
    assert done == [("stage", {"paths": ["src/pay.js"]}), ("unstage", {"paths": ["src/retry.js"]}), ("commit", {"message": "Retry failed payments", "push": True})]


def test_what_was_done_stays_said_when_its_own_event_comes(shop):
    at = shop().open(CHANGES)
    page = at.page
    page.get_by_label("Commit message").fill("Retry failed payments")
    page.get_by_role("button", name="Commit 1 file").click()
    note = page.locator(".note-box")
    expect(note).to_contain_text("Committed 1 file (abc1234)")
    at.repository.untracked = []
    at.say("git_status_changed", workspace_id=talk.WORKSPACE, branch="main", staged_count=0, unstaged_count=2, untracked_count=0, changed_files=[])
    expect(page.locator(".areas h2")).to_have_text(["Changed 2"])
    expect(note).to_contain_text("Committed 1 file (abc1234)")
    page.get_by_role("button", name="Stage src/pay.js").click()
    expect(note).to_have_text("stage is done")
    at.open(CHANGES)
    expect(note).to_have_text("")


def test_nothing_is_discarded_without_a_second_step_that_says_what_is_lost(shop):
    at = shop().open(CHANGES)
    page, done = at.page, at.repository.done
    row(at, "pay.js").locator(".disclose").click()
    row(at, "pay.js").get_by_role("button", name="Discard these changes…").click()
    dialog = page.get_by_role("dialog", name="Discard the changes to src/pay.js?")
    expect(dialog).to_contain_text("What is lost: 2 added lines and 1 removed line.")
    expect(dialog.get_by_role("button", name="Keep")).to_be_focused()
    assert axe(page) == []
    at.picture("discard")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert done == []
    row(at, "pay.js").get_by_role("button", name="Discard these changes…").click()
    dialog.get_by_role("button", name="Discard").click()
    expect(row(at, "pay.js")).to_have_count(0)
    row(at, "notes.txt").locator(".disclose").click()
    row(at, "notes.txt").get_by_role("button", name="Delete this file…").click()
    expect(page.get_by_role("dialog")).to_contain_text("Git has no copy of this file. It is gone for good.")
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    assert done == [("discard", {"paths": ["src/pay.js"]})]


def test_what_git_refuses_is_said_with_what_to_do(shop):
    at = shop()
    at.repository.fails = {"pull": {"error": "Merge conflict", "conflicted_files": ["src/app.ts", "README.md"]}, "push": {"error": "! [rejected] main -> main (non-fast-forward)"},
                           "checkout": {"error": "Cannot switch branches: You have unstaged changes"}}
    page = at.open(CHANGES).page
    alarm = page.locator(".changes .alarm")
    page.get_by_role("button", name="Pull 1").click()
    expect(alarm).to_contain_text("Pulling did not work: Merge conflict. In conflict: src/app.ts, README.md. Resolve them in the project, then stage them.")
    page.get_by_role("button", name="Push 2").click()
    expect(alarm).to_contain_text("Pull first, then push again.")
    page.get_by_role("button", name="Branch main: others").click()
    page.get_by_role("button", name="Switch to feature/new").click()
    expect(alarm).to_contain_text("Commit or discard the changes first.")
    assert axe(page) == []
    at.picture("refused")


def test_branches_are_switched_and_made(shop):
    at = shop().open(CHANGES)
    page = at.page
    page.get_by_role("button", name="Branch main: others").click()
    expect(page.get_by_role("dialog", name="Branches")).to_contain_text("Here now")
    assert (axe(page), too_small_in(page)) == ([], [])
    at.picture("branches")
    page.get_by_role("button", name="Switch to feature/new").click()
    expect(page.get_by_role("button", name="Branch feature/new: others")).to_be_visible()
    page.get_by_role("button", name="Branch feature/new: others").click()
    page.get_by_label("Name of a new branch").fill("fix/retry")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Branch fix/retry: others")).to_be_visible()
    assert at.repository.done == [("checkout", {"branch": "feature/new"}), ("checkout", {"branch": "fix/retry", "create": True})]


def test_an_event_brings_what_changed_and_leaves_what_is_open_and_typed(shop):
    at = shop().open(CHANGES)
    page = at.page
    row(at, "pay.js").locator(".disclose").click()
    expect(row(at, "pay.js").locator("ins.line")).to_have_count(2)
    page.get_by_label("Commit message").fill("Half a mess")
    page.get_by_label("Commit message").focus()
    at.repository.unstaged = at.repository.unstaged + [{"path": "package.json", "status": "M"}]
    at.say("git_status_changed", workspace_id=talk.WORKSPACE, branch="main", staged_count=1, unstaged_count=3, untracked_count=1, changed_files=["package.json"])
    expect(row(at, "package.json")).to_be_visible()
    expect(row(at, "pay.js").locator("ins.line")).to_have_count(2)
    # A second edit of a file leaves the list as it is.
    at.repository.diff = DIFF.replace("await pause", "await wait")
    at.say("git_status_changed", workspace_id=talk.WORKSPACE, branch="main", staged_count=1, unstaged_count=3, untracked_count=1, changed_files=["package.json"])
    expect(row(at, "pay.js").locator("ins.line").last).to_contain_text("await wait")
    expect(page.get_by_label("Commit message")).to_be_focused()
    expect(page.get_by_label("Commit message")).to_have_value("Half a mess")


def test_who_may_not_drive_sees_why(shop):
    at = shop(rights=("read", "decide")).open(CHANGES)
    page = at.page
    expect(page.get_by_text("cdev pair --rights drive")).to_be_visible()
    row(at, "pay.js").locator(".disclose").click()
    expect(row(at, "pay.js").locator("ins.line")).to_have_count(2)
    for name in ("Stage", "Unstage", "Discard", "Commit", "Push", "Pull"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    at.picture("looks-only")


def test_it_is_done_by_keys_alone(shop):
    at = shop(WIDE).open(CHANGES)
    page = at.page
    page.get_by_role("button", name="Stage src/pay.js").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".areas h2").first).to_have_text("Staged 2")
    page.get_by_label("Commit message").focus()
    page.keyboard.type("By keys")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".areas h2").first).to_have_text("Changed 1")
    assert at.repository.done[-1] == ("commit", {"message": "By keys"})
