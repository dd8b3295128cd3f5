"""Whether a text for Russian players has English left in it."""

import re

from firmware.phrases import tell

# What stands as it is in any language: names, keys, paths, quoted text, and what people type.
_AS_IT_IS = re.compile(
    r"`[^`]*`|'[^']*'|\"[^\"]*\"|\[\[?[^\]]*\]\]?|\S*/\S*|\S+\.\w+\S*|\b\w+_\w+|\w+-\w[\w-]*|\w+\s*=\s*\S+|\w+\|\S*"
    r"|tableref \w+|apt install|pip (?:un)?install|no fault"
)
_ENGLISH = re.compile(
    r"\b(?:is|are|was|the|a|an|it|its|of|not|nothing|with|without|for|from|has|have|had|cannot|can|and|or|to|at|in"
    r"|by|that|which|another|already|expected|such|as|be|this|these|missing|unknown|directory|error|found|bytes|cards"
    r"|tags|answer|frame|invalid|nobody|journal|damaged)\b"
)
"""Words that no key, code or unit is, and without which nothing can be said in English."""


def english_in(text: str, *names: str) -> list[str]:
    """The English words in a text, without `names`: what the text quotes or what is a keyword."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return _ENGLISH.findall(_AS_IT_IS.sub(" ", text))


def untranslated(said: object) -> list[str]:
    """What of a phrase and of its facts has no Russian text: templates, and sentences that are no phrases."""
    template, facts = getattr(said, "template", None), getattr(said, "facts", {})
    if template is None:
        return [str(said)] if _ENGLISH.search(str(said)) else []
    words = re.search("[A-Za-z]{2}", re.sub(r"\{[^{}]*\}", "", template))
    untold = [template] if words and not facts and tell(said, "ru") == template and _ENGLISH.search(template) else []
    for fact in facts.values():
        untold += untranslated(fact) if hasattr(fact, "template") else []
    return untold
