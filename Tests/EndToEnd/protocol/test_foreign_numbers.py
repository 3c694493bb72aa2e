"""Numbers that anybody may write where the daemon reads: none is so large that adding it up ends the daemon."""
import os
import uuid

import pytest

from harness.waiting import until
from harness.workspace import Folder

LARGEST = 720_575_940_379_279_359


def usage(times):
    return "{" + ",".join([f'"input_tokens":{LARGEST}', f'"output_tokens":{LARGEST}'] * times) + "}"


def line(name, times):
    return (f'{{"type":"user","uuid":"{uuid.uuid4()}","sessionId":"{name}","cwd":"/","totalCostUSD":1e308,'
            f'"message":{{"role":"user","content":"x","usage":{usage(times)}}}}}\n')


@pytest.mark.parametrize("lines,times,second", [
    (1, 20, None),      # in one line
    (40, 1, None),      # over many lines
    (1, 1, 2 ** 33),    # a time of the file in the year 2242
    (1, 1, 15_032_385_535),  # the last one of ext4
], ids=["line", "lines", "late", "last"])
def test_transcripts(bare, phone, lines, times, second):
    name = str(uuid.uuid4())
    directory = bare.box.config / "projects" / "x"
    directory.mkdir(parents=True)
    path = directory / f"{name}.jsonl"
    path.write_text("".join(line(name, times) for _ in range(lines)))
    if second:
        os.utime(path, (second, second))

    def found():
        history = phone.call("workspace/session/history")
        return [one for one in history["sessions"] if one["session_id"] == name and not history["incomplete"]]

    until(found, "the session in the history")
    assert found()[0]["message_count"] == lines
    assert phone.call("workspace/session/messages", {"session_id": name})["total"] == lines


def test_files(bare, phone):
    space = Folder(bare.box).add(bare)
    (space.path / "late").mkdir()
    for number in range(3):
        path = space.path / "late" / str(number)
        with open(path, "w") as file:
            # The largest that the file system has: 16 TiB on ext4, 8 EiB on tmpfs.
            for size in (2 ** 63 - 4096, 2 ** 44 - 4096, 2 ** 40):
                try:
                    os.truncate(file.fileno(), size)
                    break
                except OSError:
                    pass
        os.utime(path, (2 ** 40, 2 ** 40))
    listing = phone.call("workspace/files/list", {"workspace_id": space.id, "directory": ""})
    assert "late" in [entry["name"] for entry in listing["directories"]]
    late = phone.call("workspace/files/list", {"workspace_id": space.id, "directory": "late"})
    assert len(late["files"]) == 3
