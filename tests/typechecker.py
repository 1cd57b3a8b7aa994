"""Checks annotations at run time; a whole number is also a number."""

from beartype import BeartypeConf, beartype

check = beartype(conf=BeartypeConf(is_pep484_tower=True))
