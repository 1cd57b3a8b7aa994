"""Refuse what does not go together in learning: the objective, the task, the network, the settings, the start and the
teacher. No other file of this room refuses an objective, or an option that an objective has no use for."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, get_args

from neural_programmer.answering.model import Model
from neural_programmer.data.language import NAME as ENGLISH
from neural_programmer.data.paper.settings import Task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import (
    BY_MARGINAL,
    BY_SOFT,
    OF_ENGLISH,
    ONLY,
    FitConfig,
    LstmConfig,
    Objective,
    TrainingConfig,
)
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.soft import formula
from neural_programmer.programs.operations import ROWS, Operation


def check_objective(objective: Any) -> Objective:
    """Return an objective; refuse what is none."""
    if objective not in get_args(Objective):
        raise NeuralProgrammerError(f"the objective must be one of {', '.join(get_args(Objective))}, not {objective!r}")
    return objective


def check_task(
    task: str | Task, config: NetworkConfig | LstmConfig | None, objective: Objective | None, own: Sequence[Operation]
) -> None:
    """Refuse a network, an objective and operations of one's own that do not go together on a task."""
    lstm = isinstance(config, LstmConfig)
    if task == ENGLISH and (lstm or objective not in (None, "marginal")):
        raise NeuralProgrammerError(f"{task} is learnt by a Neural Programmer and the marginal objective alone")
    if lstm and objective is not None:
        raise NeuralProgrammerError("an LSTM learns in a way of its own; leave out --objective")
    if lstm and own:
        raise NeuralProgrammerError("an LSTM selects no operations; leave out --operations")


def check_training(config: NetworkConfig | LstmConfig, training: TrainingConfig, objective: Objective) -> None:
    """Refuse a network and settings that the objective cannot train on the paper's tasks."""
    check_objective(objective)
    if isinstance(config, LstmConfig):
        _check_settings("the LSTM", training)
        return
    if objective == "enumerated":
        raise NeuralProgrammerError(
            "the enumerated objective learns from questions that are linked to their tables: write the task's with "
            "`generate` and learn from them with `fit --start nothing --objective enumerated`"
        )
    _check_settings(BY_SOFT if objective == "soft" else BY_MARGINAL, training)
    _check_soft(config)
    if objective == "marginal" and config.matches_text and config.arguments != "step":
        raise NeuralProgrammerError(
            "the marginal objective draws the words to match, which the paper's text match does not choose; train "
            "with --arguments step, or with --objective soft"
        )


def check_english(training: TrainingConfig) -> None:
    """Refuse settings that the task english has no use for."""
    _check_settings(OF_ENGLISH, training)


def check_fit(config: FitConfig, objective: Objective, from_nothing: bool) -> None:
    """Refuse settings of a fit that its objective has no use for; a setting of 0 is let pass."""
    ignored = [*ONLY[OF_ENGLISH,], "average"] if objective == "soft" else []
    ignored += ["rehearsed"] if objective == "soft" or from_nothing != (objective == "enumerated") else []
    ignored += ["ensemble"] if objective != "enumerated" else []
    if config.ensemble and config.restarts < 2:
        raise NeuralProgrammerError("an ensemble wants several networks; say how many with --restarts")
    for each in fields(config):
        if each.name in ignored and getattr(config, each.name) not in (0, each.default):
            way = f"the {objective} objective{' from nothing' if from_nothing else ''}"
            raise NeuralProgrammerError(f"{way} has no use for {_option(each.name)}; leave it out")


def check_models(start: Model | None, teacher: Model | None, objective: Objective, config: NetworkConfig) -> None:
    """Refuse models to start from and to learn from that do not go with the objective and the network of a fit."""
    _check_start(start, objective)
    _check_teacher(teacher, objective, config)
    if objective == "soft":
        _check_soft(config)


def _check_settings(way: str, training: TrainingConfig) -> None:
    """Refuse settings that this way to train has no use for."""
    for having, names in ONLY.items():
        for name in names if way not in having else ():
            if getattr(training, name) != getattr(TrainingConfig, name):
                raise NeuralProgrammerError(f"{_option(name)} is a setting of {' or '.join(having)}; leave it out")


def _option(name: str) -> str:
    """Return the option of a command that is the setting of this name."""
    return f"--{name.replace('_', '-')}"


def _check_soft(config: NetworkConfig) -> None:
    """Refuse operations without a soft formula: training computes with it."""
    for entry in config.entries:
        if formula(entry) is None:
            mend = "leave it out" if entry.name in ROWS else "give it one with soft="
            raise NeuralProgrammerError(
                f"{entry} has no soft definition, which this way of training computes with: {mend}"
            )


def _check_start(start: Model | None, objective: Objective) -> None:
    """Refuse a model that chooses in another way than the objective teaches, or that is several networks."""
    if start is not None and start.config.members > 1:
        raise NeuralProgrammerError(
            f"the model is {start.config.members} networks that decide together, and one can be gone on with; start "
            "from another, or give --start nothing"
        )
    if start is not None and (start.config.chooses == "programs") != (objective == "enumerated"):
        way = "whole programs" if start.config.chooses == "programs" else "step after step"
        raise NeuralProgrammerError(
            f"the {objective} objective cannot go on with a model that chooses {way}; give --start nothing"
        )


def _check_teacher(teacher: Model | None, objective: Objective, config: NetworkConfig) -> None:
    """Refuse a teacher that chooses among other candidates than the network that learns from it."""
    if teacher is None:
        return
    if objective != "enumerated":
        raise NeuralProgrammerError(
            f"the {objective} objective learns from answers alone; leave out --teacher, or give --objective "
            "enumerated --start nothing"
        )
    differing = {
        "chooses": "chooses step after step",
        "cells": "reads other cells",
        "operations": "has other operations",
        "program_steps": "makes programs of another length",
    }
    for name, what in differing.items():
        if getattr(teacher.config, name) != getattr(config, name):
            raise NeuralProgrammerError(
                f"the teacher {what}, and must choose among the same programs as the network that learns from it; fit "
                "one to the same data, such as with --restarts 5 --ensemble"
            )
