"""Somebody who has read the table: lines of a row, with words of other rows, other letters and hostile values in them."""
import random

from lines import HOSTILE_TEXTS, LETTERS, VALUES, values

HOSTILE = sorted(set(HOSTILE_TEXTS) | {value for some in VALUES.values() for value in some})
EDITS = 3


def shape(words):
    """What tells one line from another to a program's parser: options in full, of other words only if they are hostile."""
    return tuple(
        word.split("=")[0] + ("=" if "=" in word else "") if word.startswith("-")
        else "!" if word in HOSTILE_TEXTS else "w"
        for word in words
    )


class Attacker:
    def __init__(self, rows, seed):
        self.random = random.Random(seed)
        self.options = sorted({option.name for row in rows for option in row.options})
        self.words = {}
        for row in rows:
            self.words.setdefault(row.program, set()).update(row.key.split()[1:])

    def lines(self, row, count, foreign=()):
        """`count` word lists, most of them near one that is settled."""
        # Twice the row's own: what is refused at its first foreign word tells nothing about the rest.
        own = [option.name for option in row.options] * 2 + list(foreign) + ["-", "--"]
        for _ in range(count):
            words = list(row.words)
            for option in self.random.sample(row.options, min(len(row.options), self.random.randrange(4))):
                words += [option.name] if not option.kind else [option.name, self.random.choice(values(option.kind))]
            for kind in row.operands:
                words.append(self.random.choice(values(kind)))
            for _ in range(self.random.randrange(1, EDITS + 1)):
                self.edit(words, row, own)
            yield words

    def edit(self, words, row, own):
        first = min(len(words), len(row.words))
        place = self.random.randrange(first, len(words) + 1)
        kind = self.random.randrange(8)
        if kind <= 2 or place == len(words):
            words.insert(place, self.word(row, own))
        elif kind == 3:
            words[place] = self.word(row, own)
        elif kind == 4:
            words[place] += self.random.choice(["=", "", ",", "=x"]) + self.random.choice(HOSTILE)
        elif kind == 5:
            cut = self.random.randrange(len(words[place]) + 1)
            words[place] = words[place][:cut] + self.random.choice(LETTERS) + words[place][cut:]
        elif kind == 6:
            words[place] = words[place][:-1] or "-"
        elif place + 1 < len(words):
            words[place:place + 2] = self.random.choice([[words[place] + words[place + 1]], words[place:place + 2][::-1]])

    def word(self, row, own):
        kind = self.random.randrange(6)
        if kind <= 1:
            return self.random.choice(own)
        if kind == 2:
            return self.random.choice(self.options)
        if kind == 3:
            letters = "".join(self.random.choice(LETTERS) for _ in range(self.random.randrange(1, 4)))
            return "-" + letters + self.random.choice(["", "", "=trap.js", "trapout"])
        if kind == 4:
            return self.random.choice(sorted(self.words[row.program]) or ["x"])
        return self.random.choice(HOSTILE)
