"""Whether an answer has the form of an example: the same members, each of the same type. An answer may have more members."""
from .checks import WHOLE_SECONDS


def faults(value, example, place="$"):
    """What the answer lacks, one line for each place. In a list every element has to fit one of the example's, and there has
    to be one for each of these; a time is one in UTC with whole seconds."""
    if isinstance(example, dict):
        return _of_object(value, example, place)
    if isinstance(example, list):
        return _of_list(value, example, place)
    if type(value) is not type(example) and not _both_numbers(value, example):
        return [f"{place}: {value!r} where {example!r} is expected"]
    if isinstance(example, str) and WHOLE_SECONDS.fullmatch(example) and not WHOLE_SECONDS.fullmatch(value):
        return [f"{place}: {value!r} is no time in UTC with whole seconds"]
    return []


def _both_numbers(value, example):
    """An example with a fraction stands for any number."""
    return type(example) is float and type(value) is int


def _of_object(value, example, place):
    if not isinstance(value, dict):
        return [f"{place}: {value!r} where an object is expected"]
    found = [f"{place}: no {name}" for name in example if name not in value]
    for name in example.keys() & value.keys():
        found += faults(value[name], example[name], f"{place}.{name}")
    return found


def _of_list(value, example, place):
    if not isinstance(value, list):
        return [f"{place}: {value!r} where a list is expected"]
    found, unused = [], list(range(len(example)))
    for index, element in enumerate(value):
        tried = [faults(element, one, f"{place}[{index}]") for one in example]
        fitting = [number for number, wrong in enumerate(tried) if not wrong]
        unused = [number for number in unused if number not in fitting]
        if example and not fitting:
            found += min(tried, key=len)
    return found + [f"{place}: nothing like {example[number]!r}" for number in unused]
