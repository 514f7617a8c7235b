"""The programs (calls of a language model) that runs use, with their compiled artefacts."""

from agent.programs import (
    compiled_programs,
    compute,
    decompose,
    draft,
    evaluate,
    follow_up,
    judge_figures,
    rerank,
    review_refusal,
    understand,
)
from agent.programs.program import Program


def programs() -> dict[str, Program]:
    """The programs of this process by their names."""
    found: tuple[Program, ...] = (
        understand.program(),
        compute.program(),
        judge_figures.program(),
        decompose.program(),
        draft.program(),
        draft.program_by_axis(),
        evaluate.program(),
        follow_up.program(),
        review_refusal.program(),
        rerank.program(),
    )
    return {one.name: one for one in found}


def versions() -> dict[str, str]:
    """The version of each program by its name."""
    return {name: program.version for name, program in programs().items()}


def misfits() -> list[str]:
    """Why artefacts are not loaded, one sentence each."""
    said = []
    for name, program in programs().items():
        path = compiled_programs.path_of(name)
        if path.is_file():
            try:
                compiled_programs.fitting(path, name, program.signature)
            except compiled_programs.Refused as refused:
                said.append(str(refused))
    return said
