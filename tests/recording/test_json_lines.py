from __future__ import annotations

import errno
import json
import math
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from craftax_text_gym.recording import json_lines
from craftax_text_gym.recording.json_lines import RecordingError

values = st.dictionaries(st.text(), st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lines")


@given(st.lists(values, min_size=1, max_size=5))
def test_what_is_appended_is_read(folder: Path, lines: list[dict[str, object]]) -> None:
    path = folder / "any.jsonl"
    path.unlink(missing_ok=True)
    for line in lines:
        json_lines.append(path, line)
    assert json_lines.read(path) == json_lines.Lines(tuple(lines), 0)


@given(st.data(), st.lists(values, min_size=1, max_size=4), values)
def test_a_torn_line_costs_itself_and_nothing_else(
    folder: Path, data: st.DataObject, lines: list[dict[str, object]], after: dict[str, object]
) -> None:
    path = folder / "torn.jsonl"
    whole = [json_lines.encode(line) for line in lines]
    kept = data.draw(st.integers(0, len(whole[-1]) - 1))
    path.write_bytes(b"".join(whole[:-1]) + whole[-1][:kept])
    json_lines.append(path, after)
    read = json_lines.read(path)
    is_whole = kept == len(whole[-1]) - 1  # all but the newline
    expected = [*lines[:-1], *([lines[-1]] if is_whole else []), after]
    assert list(read.values) == expected
    assert read.num_torn == (0 if is_whole or not kept else 1)


def test_bytes_that_are_no_text_and_json_that_is_no_object_are_torn(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b'{"a":1}\n\xff\xfe\n[1]\n3\n\n{"b":2}\n')
    assert json_lines.read(path) == json_lines.Lines(({"a": 1}, {"b": 2}), 3)


def test_writers_at_the_same_time_never_mix_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "shared.jsonl"

    def write(writer: int) -> None:
        for number in range(50):
            json_lines.append(path, {"writer": writer, "number": number, "text": "x" * 5_000})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    read = json_lines.read(path)
    assert read.num_torn == 0
    for writer in range(8):
        assert [line["number"] for line in read.values if line["writer"] == writer] == list(range(50))


def test_a_short_write_is_carried_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, bytes(data)[:7]))
    json_lines.append(tmp_path / "short.jsonl", {"text": "x" * 100})
    assert json_lines.read(tmp_path / "short.jsonl").values == ({"text": "x" * 100},)


def test_a_full_disk_is_one_clear_error() -> None:
    with pytest.raises(
        RecordingError, match=r"Cannot write '/dev/full' \(No space left on device\): free space"
    ) as told:
        json_lines.append("/dev/full", {"a": 1})
    assert told.value.errno == errno.ENOSPC
    assert "\n" not in str(told.value)


def test_a_disk_that_fills_within_a_line_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "full.jsonl"
    json_lines.append(path, {"a": 1})
    before, write = path.read_bytes(), os.write
    calls: list[int] = []

    def fill(descriptor: int, data: bytes) -> int:
        if calls:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        calls.append(1)
        return write(descriptor, bytes(data)[:4])

    monkeypatch.setattr(os, "write", fill)
    with pytest.raises(RecordingError, match="free space"):
        json_lines.append(path, {"b": 2})
    assert path.read_bytes() == before


def test_a_folder_that_is_missing_or_no_folder_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="No such file or directory.*make the folder first"):
        json_lines.append(tmp_path / "nowhere" / "log.jsonl", {})
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "log.jsonl"):
        with pytest.raises(RecordingError, match="choose another path"):
            json_lines.append(path, {})


def test_a_folder_without_rights_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    if os.geteuid() == 0:  # whom no folder refuses

        def refuse(*_: object) -> int:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

        monkeypatch.setattr(os, "open", refuse)
    for write in (json_lines.append, json_lines.create):
        with pytest.raises(RecordingError, match=r"Permission denied\): allow writing there, or choose another path"):
            write(closed / "log.jsonl", {})


def test_a_file_is_created_once(tmp_path: Path) -> None:
    json_lines.create(tmp_path / "new.jsonl", {"a": 1})
    with pytest.raises(FileExistsError):
        json_lines.create(tmp_path / "new.jsonl", {"b": 2})
    assert json_lines.read(tmp_path / "new.jsonl").values == ({"a": 1},)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_json_does_not_have_are_refused(tmp_path: Path, value: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        json_lines.append(tmp_path / "log.jsonl", {"reward": value})
    assert not (tmp_path / "log.jsonl").exists()


def test_a_line_is_plain_json() -> None:
    assert json.loads(json_lines.encode({"a": [1, 2.5, "ü\n", None, True]})) == {"a": [1, 2.5, "ü\n", None, True]}
    assert json_lines.encode({"a": "\n\u2028"}).count(b"\n") == 1
