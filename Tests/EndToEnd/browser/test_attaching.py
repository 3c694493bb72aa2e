"""Pictures that go with a prompt, at a scripted daemon: taken from a phone, scaled down, sent, and given back."""
import base64

import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE, Refusal
from test_access import axe, too_small_in
from test_prompting import DRIVER, PLACE, does, running

from harness.waiting import until

NARROW = {"width": 320, "height": 640}
PLACE_OF_PHOTO = b"Exif\0\0 48.2082 N 16.3738 E"


def parts(at, place=PLACE):
    page = at.open(place).page
    expect(page.locator(".now")).to_have_text("Idle")
    return page, page.get_by_role("textbox", name="Prompt"), page.get_by_role("button", name="Send")


def shot(name="shot.png"):
    return {"name": name, "mimeType": "image/png", "buffer": base64.b64decode(talk.png())}


def drawn(page, width, height, kind, detail):
    """A picture of that many colours in a row."""
    url = page.evaluate("""([width, height, kind, detail]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height }), context = canvas.getContext('2d');
      const data = context.createImageData(width, height), words = new Uint32Array(data.data.buffer);
      for (let at = 0; at < words.length; at += 1) words[at] = (Math.imul(at % detail, 2654435761) >>> 8) | 0xff000000;
      context.putImageData(data, 0, 0);
      return canvas.toDataURL(kind, 0.5);
    }""", [width, height, kind, detail])
    return base64.b64decode(url.partition(",")[2])


def photo(page):
    """A photo full of detail, with the place where it was taken."""
    whole = drawn(page, 3000, 2000, "image/jpeg", 6_000_000)
    segment = b"\xff\xe1" + (len(PLACE_OF_PHOTO) + 2).to_bytes(2, "big") + PLACE_OF_PHOTO
    return {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": whole[:2] + segment + whole[2:]}


def attach(page, *files):
    page.locator(".composer input[type=file]").set_input_files(list(files))
    return page.get_by_role("list", name="Pictures to send").get_by_role("listitem")


def size(page, block):
    source = block["source"]
    assert source["type"] == "base64"
    return source["media_type"], page.evaluate("""async ([kind, data]) => {
      const image = Object.assign(new Image(), { src: `data:${kind};base64,${data}` });
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }""", [source["media_type"], source["data"]])


@pytest.mark.parametrize("window", [NARROW, WIDE], ids=["narrow", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_add_pictures_and_take_them_out(double, window, scheme):
    at = running(double(window, rights=DRIVER, color_scheme=scheme, reduced_motion="reduce"))
    page, field, send = parts(at)
    # A key made by a test does not count as a person's, without whom a browser opens no chooser.
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Add pictures").click()
    assert choosing.value.is_multiple()
    assert choosing.value.element.get_attribute("accept") == "image/*" and choosing.value.element.get_attribute("capture") is None, "a phone offers its camera and its library"
    choosing.value.set_files([shot(), shot("second.png"), shot("third\u202egnp.png")])
    added = page.get_by_role("list", name="Pictures to send").get_by_role("listitem")
    expect(added).to_have_count(3)
    expect(page.get_by_role("img", name="shot.png")).to_be_visible()
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"pictures-{window['width']}-{scheme}")
    page.get_by_role("button", name="Remove second.png").focus()
    page.keyboard.press("Enter")
    expect(added).to_have_count(2)
    expect(page.get_by_role("button", name="Add pictures")).to_be_focused()
    expect(send).to_be_enabled()
    for name in ("shot.png", "third"):
        page.get_by_role("button", name=f"Remove {name}").click()
    expect(send).to_be_disabled()


def test_pictures_are_sent_before_the_words_and_scaled_down(double):
    at = running(double(rights=DRIVER))
    page, field, send = parts(at)
    expect(attach(page, photo(page), {"name": "wide.png", "mimeType": "image/png", "buffer": drawn(page, 2000, 100, "image/png", 1)}, shot("tiny.png"))).to_have_count(3)
    field.fill("what is this?")
    send.click()
    expect(page.locator(".message.pending")).to_contain_text("what is this?")
    (sent,) = until(lambda: at.asked("session/send"), "the prompt to be sent")
    *pictures, text = sent["prompt"]
    assert text == {"type": "text", "text": "what is this?"}
    assert [block["type"] for block in pictures] == ["image"] * 3
    assert [size(page, block) for block in pictures] == [("image/jpeg", [1568, 1045]), ("image/png", [1568, 78]), ("image/png", [64, 40])]
    assert PLACE_OF_PHOTO not in base64.b64decode(pictures[0]["source"]["data"])
    expect(page.get_by_role("list", name="Pictures to send")).to_be_hidden()
    expect(page.locator(".message.pending img")).to_have_count(3)
    does(at, "running", [(sent["prompt_id"], "started")])
    expect(page.locator(".message.pending")).to_contain_text("Taken up")


def test_a_large_png_becomes_a_jpeg_and_a_picture_needs_no_words(double):
    at = running(double(rights=DRIVER))
    page, _, send = parts(at)
    whole = drawn(page, 1400, 1000, "image/png", 1_400_000)
    assert len(whole) > 1 << 20
    expect(attach(page, {"name": "screen.png", "mimeType": "image/png", "buffer": whole})).to_have_count(1)
    send.click()
    expect(page.locator(".message.pending img")).to_have_count(1)
    (block,) = at.asked("session/send")[0]["prompt"]
    assert size(page, block) == ("image/jpeg", [1400, 1000])


def test_bad_files_and_too_many_are_answered_with_a_sentence(double):
    at = running(double(rights=DRIVER))
    page, _, send = parts(at)
    added = attach(page, {"name": "notes.png", "mimeType": "image/png", "buffer": b"not a picture"}, shot(), {"name": "empty.jpg", "mimeType": "image/jpeg", "buffer": b""})
    hint = page.locator(".dock .hint")
    expect(hint).to_have_text("notes.png is not a picture that this browser can read. empty.jpg is not a picture that this browser can read.")
    expect(added).to_have_count(1)
    expect(attach(page, *[shot(f"{number}.png") for number in range(9)])).to_have_count(8)
    expect(hint).to_have_text("A prompt takes at most 8 pictures.")
    send.click()
    expect(hint).to_be_hidden()
    assert len(at.asked("session/send")[0]["prompt"]) == 8


def test_a_refused_prompt_gives_its_pictures_back(double):
    at = running(double(rights=DRIVER))
    page, field, send = parts(at)

    def refuse(_):
        raise Refusal("as many prompts as are kept wait for this session; wait for one of them")

    at.methods["session/send"] = refuse
    expect(attach(page, shot())).to_have_count(1)
    field.fill("look")
    send.click()
    expect(page.locator(".dock .hint")).to_contain_text("Not sent: as many prompts")
    expect(field).to_have_value("look")
    expect(page.get_by_role("img", name="shot.png")).to_be_visible()
    expect(send).to_be_enabled()


def test_a_sent_picture_outlives_a_reload_and_an_unsent_one_need_not(double):
    at = running(double(rights=DRIVER))
    page, field, send = parts(at)
    expect(attach(page, shot())).to_have_count(1)
    field.fill("look")
    at.page.route("**/rpc", lambda route: route.abort())
    send.click()
    expect(page.locator(".message.pending")).to_contain_text("Not confirmed")
    expect(attach(page, shot("later.png"))).to_have_count(1)
    field.fill("half a thou")
    page.wait_for_function("async key => (await (await import('/js/net/vault.js')).recall(key))?.draft === 'half a thou'", arg=f"prompts {talk.SESSION}")
    page.unroute("**/rpc")
    page.route("http://page.test/**", at._serve)
    page.reload()
    expect(field).to_have_value("half a thou")
    expect(page.locator(".message.pending")).to_contain_text("Sent")
    expect(page.locator(".message.pending img")).to_have_count(1)
    expect(page.get_by_role("list", name="Pictures to send")).to_be_hidden()
    (sent,) = at.asked("session/send")
    assert [block["type"] for block in sent["prompt"]] == ["image", "text"]


def test_a_picture_of_the_clipboard_is_taken(double):
    page, field, _ = parts(running(double(SMALL, rights=DRIVER)))
    field.focus()
    page.evaluate("""(data) => {
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(atob(data), (digit) => digit.charCodeAt(0))], 'image.png', { type: 'image/png' }));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }));
    }""", talk.png())
    expect(page.get_by_role("img", name="image.png")).to_be_visible()
