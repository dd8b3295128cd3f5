"""What browsers are shown: the newest value of each topic, and nothing twice."""

import asyncio
import json

from firmware.web.feed import Feed, message


def first(feed: Feed, topics: tuple[str, ...]) -> dict[str, str]:
    async def take() -> dict[str, str]:
        return dict(await anext(aiter(feed.changes(topics))))

    return asyncio.run(take())


def test_a_client_is_sent_all_topics_first_that_it_may_follow() -> None:
    feed = Feed()
    for topic in ("display:1", "display:2", "table", "journal"):
        feed.publish(topic, "1")
    assert {*first(feed, ("display:", "table"))} == {"display:1", "display:2", "table"}


def test_what_is_newer_takes_the_place_of_what_was_not_sent() -> None:
    async def take() -> list[dict[str, str]]:
        feed = Feed()
        feed.serve(asyncio.get_running_loop())
        feed.publish("table", "1")
        changes = feed.changes(("table", "other"))
        sent = [dict(await anext(changes))]
        for value in range(2, 100):
            feed.publish("table", str(value))
        sent.append(dict(await anext(changes)))
        feed.publish("other", "1")
        feed.publish("table", "99")
        sent.append(dict(await anext(changes)))
        return sent

    assert asyncio.run(take()) == [{"table": "1"}, {"table": "99"}, {"other": "1"}]


def test_a_message_is_one_json_object() -> None:
    assert json.loads(message({"light:1": "true", "table": '{"a": 1}'})) == {"light:1": True, "table": {"a": 1}}
