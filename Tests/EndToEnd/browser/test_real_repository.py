"""The changes of a real repository at the real daemon: discarded, pushed, pulled and switched from the page of a phone."""
import subprocess

from playwright.sync_api import expect

from harness.waiting import until
from test_access import axe


def git(box, *words, cwd=None):
    done = subprocess.run(["git", *words], cwd=cwd or box.project, env=box.env(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def with_origin(box):
    """The project, cloned from a bare repository beside it, and a second clone whose person commits too."""
    origin, other = box.root / "origin.git", box.root / "other"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(origin)], env=box.env(), check=True)
    for place, name in ((box.project, "Ana"), (other, "Bo")):
        if place == box.project:
            git(box, "init", "-q")
            git(box, "remote", "add", "origin", str(origin))
        else:
            subprocess.run(["git", "clone", "-q", str(origin), str(place)], env=box.env(), check=True)
        for key, value in (("user.name", name), ("user.email", f"{name}@example.com")):
            git(box, "config", key, value, cwd=place)
        if place == box.project:
            (place / "notes.txt").write_text("one\n")
            git(box, "add", ".")
            git(box, "commit", "-qm", "first")
            git(box, "branch", "-M", "main")
            git(box, "push", "-q", "-u", "origin", "main")
    return origin, other


def test_a_real_repository_is_worked_on_from_the_page(box, bare, screens):
    origin, other = with_origin(box)
    (other / "theirs.txt").write_text("theirs\n")
    git(box, "add", ".", cwd=other)
    git(box, "commit", "-qm", "theirs", cwd=other)
    git(box, "push", "-q", cwd=other)
    git(box, "fetch", "-q")
    (box.project / "notes.txt").write_text("one\ntwo\n")
    workspace = bare.local.call("workspace/add", {"path": str(box.project)})["id"]
    phone = screens(reduced_motion="reduce").paired(bare.local.call("token/create", {"name": "phone", "rights": "drive"})["token"])
    page = phone.page
    page.goto(f"{page.url.split('#')[0]}#changes={workspace}")
    row = page.locator(".changed-file").filter(has_text="notes.txt")
    row.locator(".disclose").click()
    expect(row.locator("ins.line")).to_contain_text(["two"])
    row.get_by_role("button", name="Discard these changes…").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(row).to_have_count(0)
    assert (box.project / "notes.txt").read_text() == "one\n"
    page.get_by_role("button", name="Pull 1").click()
    expect(page.get_by_role("button", name="Pull 1")).to_have_count(0)
    assert (box.project / "theirs.txt").read_text() == "theirs\n"
    page.get_by_role("button", name="Branch main: others").click()
    page.get_by_label("Name of a new branch").fill("fix/retry")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Branch fix/retry: others")).to_be_visible()
    (box.project / "retry.txt").write_text("again\n")
    git(box, "add", ".")
    git(box, "commit", "-qm", "retry")
    page.get_by_role("button", name="Push").first.click()
    until(lambda: "refs/heads/fix/retry" in git(box, "show-ref", cwd=origin), "the branch to be pushed", 20)
    assert git(box, "rev-parse", "fix/retry", cwd=origin) == git(box, "rev-parse", "HEAD")
    assert axe(page) == []
    phone.picture("real-repository")
