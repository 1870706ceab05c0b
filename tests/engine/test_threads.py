"""One engine a game serves all threads of a process."""

from __future__ import annotations

from tests.subprocesses import CLASSIC_ID, run

EIGHT_THREADS = f"""
    import json, threading
    import gymnasium as gym
    import craftax_text_gym
    from craftax_text_gym.engine import core

    made, make = [], core.Engine.__init__
    core.Engine.__init__ = lambda engine, key: made.append(key) or make(engine, key)
    start, texts = threading.Barrier(8), [None] * 8

    def play(number):
        env = gym.make("{CLASSIC_ID}")
        start.wait()
        env.reset(seed=5)
        texts[number] = env.step("left")[0]

    threads = [threading.Thread(target=play, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps([made, len(set(texts)), texts[0] is None]))
"""


def test_threads_that_begin_at_once_share_one_engine() -> None:
    assert run(EIGHT_THREADS) == [["classic"], 1, False]
