"""What only a person with bad intentions would write, in transcripts, repositories and files: it stays text, and is seen."""
import pytest
from playwright.sync_api import expect

import talk
from test_many import MARKUP, UNSEEN
from test_repository import Repository

ODD = "a\u202e\u200b\u00adb"
NASTY = " ".join(MARKUP)


def story(text):
    made = talk.Talk()
    made.user(text).says(f"# {text}\n\n- {text}\n\n> {text}\n\n| {text} |\n|---|\n| {text} |\n\n```{text.split()[0]}\n{text}\n```\n\n[{text}](https://{text.split()[0]}.example) **{text}** `{text}`")
    made.thinks(text).calls("Bash", {"command": text, "description": text}).gets(text, is_error=True)
    made.calls(text, {text: [text]}).gets([{"type": "text", "text": text}, {"type": text, text: text}])
    made.calls("Edit", {"file_path": f"/{text}", "old_string": text, "new_string": text}).gets(text)
    made.calls("Edit", {"file_path": f"/{text}"}).gets(text, difference={"kind": "diff", "path": f"/{text}", "added": 1, "removed": 0, "more": 0, "hunks": [{"old_start": 1, "new_start": 1, "lines": [{"op": "+", "text": text}]}]})
    made.user([{"type": "image", "source": {"type": "url", "url": "https://evil.example/p.png"}}, {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": "PHN2Zy8+"}}])
    made.add("assistant", [{"type": text, text: text}]).add("system", text, type=text).user(text, is_meta=True).user(f"<command-name>{text}</command-name>")
    made.add("user", None).add("assistant", [None, 5, "x", {"type": "tool_use"}, {"type": "tool_result"}, {"type": "text"}, {"type": "image"}]).add("assistant", {"no": "list"})
    return made


@pytest.mark.parametrize("text", [ODD, NASTY], ids=["unseen", "markup"])
def test_whatever_is_written_is_text_that_is_seen(double, text):
    at = talk.serve(double(rights=("read", "decide", "drive")), story(text), title=text, last_prompt=text, cwd=f"/home/{text}", current_tool=text, mode_note=text)
    repository = Repository(at)
    repository.branch = text
    repository.staged = repository.unstaged = repository.untracked = [{"path": f"{text}/{text}", "status": "M", "old_path": text}]
    at.methods["workspace/git/diff"] = lambda params: {"path": params["path"], "diff": f"diff --git a/x b/x\nrename from {text}\n@@ -1 +1 @@\n-{text}\n+{text}\n", "is_staged": False, "is_new": False}
    at.methods["workspace/git/branches"] = lambda _: {"current": text, "branches": [{"name": text, "is_current": False, "is_remote": True, "upstream": text}]}
    commit = {"sha": "a" * 40, "message": text, "author": text, "email": text, "date": text, "committed_at": text, "parents": []}
    at.methods["workspace/git/log"] = lambda _: {"commits": [commit], "has_more": False}
    at.methods["workspace/git/show"] = lambda _: {**commit, "body": text, "files": [], "files_changed": 1, "diff": f"diff --git a/x b/x\n@@ -1 +1 @@\n-{text}\n+{text}\n", "truncated": False, "is_sensitive": False}
    at.methods["workspace/git/stash/list"] = lambda _: {"stashes": [{"index": 0, "ref": text, "sha": "b" * 40, "message": text, "created_at": "2026-11-20T10:30:00Z"}], "truncated": False}
    repository.fails = {"pull": {"error": text, "conflicted_files": [text]}}
    at.methods["workspace/files/list"] = lambda params: {"directory": "", "directories": [{"path": text, "name": text, "file_count": 1}] if not params["directory"] else [], "files": [
        {"path": f"{text}/x", "name": text, "size_bytes": 1, "is_sensitive": False}], "pagination": {"has_more": False}}
    at.methods["workspace/file/get"] = lambda params: {"path": params["path"], "content": text, "encoding": "utf-8", "truncated": False, "size": 5}
    listed = at.methods["workspace/list"]
    at.methods["workspace/list"] = lambda params: {"workspaces": [{**one, "name": text, "path": f"/home/{text}", "git": {"branch": text}, "sessions": [{**session, "summary": text} for session in one["sessions"]]} for one in listed(params)["workspaces"]]}
    page = at.open(f"#transcript={talk.WORKSPACE}/{talk.SESSION}").page

    def harmless():
        assert page.evaluate(UNSEEN) == []
        assert page.locator("main").locator("img, script, style, iframe, object, a[href^='javascript']").count() == 0
        assert page.evaluate("() => window.bad") is None

    expect(page.locator(".message").first).to_be_visible()
    for summary in page.locator(".thread summary").all():
        summary.click()
    expect(page.locator(".prose").first).to_be_visible()
    harmless()
    page.evaluate("address => { location.hash = address; }", f"#changes={talk.WORKSPACE}")
    # Three files, what was put aside, and the commits.
    expect(page.locator(".disclose")).to_have_count(5)
    for opener in page.locator(".disclose").all():
        opener.click()
    expect(page.locator(".stash")).to_be_visible()
    page.locator(".disclose").nth(5).click()
    expect(page.locator("ins.line").first).to_be_visible()
    page.get_by_role("button", name="Pull").click()
    expect(page.locator(".changes .alarm").first).to_be_visible()
    harmless()
    page.locator(".branch-button").click()
    expect(page.locator(".branch-row")).to_be_visible()
    harmless()
    page.keyboard.press("Escape")
    page.evaluate("address => { location.hash = address; }", f"#files={talk.WORKSPACE}")
    page.locator("button.entry").first.click()
    page.locator("a.entry").first.click()
    expect(page.locator(".source")).to_be_visible()
    harmless()
    page.evaluate("() => { location.hash = '#sessions'; }")
    expect(page.locator(".session")).to_be_visible()
    page.locator(".session summary").click()
    harmless()
