"""The files of a project, at a scripted daemon: folders, one file, pictures, and what may hold secrets."""
import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE, Refusal
from test_access import axe, too_small_in


def entry(path, **more):
    name = path.split("/")[-1]
    return {"path": path, "name": name, "directory": path[:-len(name)].rstrip("/"), "extension": name.split(".")[-1], "size_bytes": 1595, "modified_at": talk.at(0), "is_binary": False,
            "is_symlink": False, "is_sensitive": False, "git_tracked": True, "git_ignored": False, **more}


FOLDERS = {
    "": ([{"path": "src", "name": "src", "file_count": 2, "total_size_bytes": 156_000, "last_modified": talk.at(0)}],
         [entry("README.md"), entry(".env", is_sensitive=True), entry("flow.png", is_binary=True), entry("cart.log", git_ignored=True)]),
    "src": ([], [entry("src/pay.js"), entry("src/a\u202eb.js")]),
}


@pytest.fixture
def tree(double):
    """A page at the files of a project."""
    def make(*words, **options):
        at = talk.serve(double(*words, **options), talk.story())

        def listed(params):
            directories, files = FOLDERS[params["directory"]]
            return {"directory": params["directory"], "directories": directories, "files": files, "total_files": len(files), "total_directories": len(directories),
                    "pagination": {"limit": params["limit"], "offset": 0, "has_more": False}}

        def given(params):
            path = params["path"]
            if path == ".env":
                raise Refusal("it may hold secrets", -32600, refused="drive")
            if path == "flow.png":
                return {"path": path, "content": talk.png(), "encoding": "base64", "truncated": False, "size": 700}
            text = "import { charge } from './bank.js';\n" * 1200 if path == "src/pay.js" else "one\u200btwo\n"
            return {"path": path, "content": text, "encoding": "utf-8", "truncated": path == "src/pay.js", "size": len(text)}

        at.methods |= {"workspace/files/list": listed, "workspace/file/get": given}
        return at

    return make


FILES = f"#files={talk.WORKSPACE}"


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_folders_unfold_and_a_file_is_shown_with_its_lines(tree, size, scheme):
    at = tree(size, color_scheme=scheme, reduced_motion="reduce").open(FILES)
    page = at.page
    expect(page.locator(".entry")).to_have_count(5)
    assert [params["directory"] for params in at.asked("workspace/files/list")] == [""], "a folder is asked for when it is opened"
    page.get_by_role("button", name="src").click()
    expect(page.locator(".nested-entries .entry")).to_have_count(2)
    assert (axe(page), too_small_in(page)) == ([], [])
    at.picture(f"files-{size['width']}-{scheme}")
    page.get_by_role("link", name="pay.js").click()
    expect(page.locator(".gutter").first).to_contain_text("1\n2\n3")
    expect(page.locator(".file")).to_contain_text("1,200 lines")
    expect(page.locator(".file")).to_contain_text("Only the first")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert (axe(page), too_small_in(page)) == ([], [])
    at.picture(f"file-{size['width']}-{scheme}")
    page.get_by_role("link", name="Back to the files").click()
    expect(page.locator(".nested-entries .entry")).to_have_count(2)


def test_folders_and_files_are_reached_by_keys_alone(tree):
    at = tree(WIDE).open(FILES)
    page = at.page
    expect(page.locator(".entry")).to_have_count(5)
    folder, file = page.get_by_role("button", name="src"), page.get_by_role("link", name="pay.js")
    reach(page, folder)
    page.keyboard.press("Enter")
    expect(page.locator(".nested-entries .entry")).to_have_count(2)
    reach(page, file)
    page.keyboard.press("Enter")
    expect(page.locator(".file")).to_contain_text("1,200 lines")
    reach(page, page.get_by_role("link", name="Back to the files"))
    page.keyboard.press("Enter")
    expect(page.locator(".nested-entries .entry")).to_have_count(2)


def reach(page, wanted):
    """Goes on from control to control until it has the focus."""
    for _ in range(60):
        if wanted.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("no key leads there")


def test_a_picture_is_drawn_and_a_secret_is_not_shown(tree):
    at = tree(rights=("read",)).open(FILES)
    page = at.page
    page.get_by_role("link", name="flow.png").click()
    expect(page.locator(".file img")).to_have_js_property("naturalWidth", 64)
    at.picture("file-picture")
    page.go_back()
    secret = page.get_by_role("link", name=".env")
    expect(secret).to_contain_text("sensitive")
    secret.click()
    expect(page.locator(".file .alarm")).to_contain_text("may hold secrets, such as keys or passwords. Only a device with drive rights is shown it")
    at.picture("file-secret")
    page.go_back()
    page.get_by_role("link", name="README.md").click()
    expect(page.locator(".lines .hidden-character")).to_have_text("U+200B")
