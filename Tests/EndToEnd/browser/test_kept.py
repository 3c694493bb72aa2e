"""The browser keeps the files of the page, and no secret where others could read it."""
import re

from playwright.sync_api import expect


def test_the_page_is_there_when_the_daemon_is_not(phone, bare):
    phone.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    phone.page.wait_for_function("async () => (await (await caches.open('files')).keys()).length > 10")
    bare.stop()
    phone.is_phase("offline")
    phone.page.reload()
    phone.is_phase("offline")
    expect(phone.page.get_by_role("heading", name="Requests")).to_be_visible()
    bare.start()
    phone.online()


def test_the_worker_keeps_files_and_nothing_else(phone, session):
    session.bash("touch a")
    phone.answer("touch a", "Deny")
    phone.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    phone.page.wait_for_function("async () => (await (await caches.open('files')).keys()).length > 10")
    kept = phone.page.evaluate("async () => (await (await caches.open('files')).keys()).map((request) => request.url)")
    assert phone.page.evaluate("async () => (await caches.keys())") == ["files"]
    for path in (address.removeprefix(phone.base) for address in kept):
        assert re.fullmatch(r"/([\w./-]*\.(js|css|html|png|svg|webmanifest))?\?sha256=[0-9a-f]{64}&fields=[0-9a-f]{64}", path), path
    assert not any(address.startswith((phone.base + "/rpc", phone.base + "/worker.js")) for address in kept)


def test_nothing_is_kept_in_a_cookie_or_in_storage_that_scripts_share(phone):
    assert phone.context.cookies() == []
    assert phone.page.evaluate("() => [localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
