"""The base of programs: a name, a role, a signature, and a version that changes with anything a model is told."""

import logging
from pathlib import Path
from typing import Any, ClassVar, Self

import dspy

from agent.programs import compiled_programs
from agent.programs.compiled_programs import digest, fields
from agent.programs.models import Role

logger = logging.getLogger(__name__)


class Program(dspy.Module):  # type: ignore[misc]
    """One decision by the model of `role`. A subclass sets its `signature`, whose docstring is the instruction."""

    name: ClassVar[str]
    role: ClassVar[Role]
    signature: ClassVar[type[dspy.Signature]]
    # Whether replies may be cached: for questions, never for text of filings.
    remembered: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(self.signature)
        # The digest of the loaded artefact; empty where there is none.
        self.artefact = ""

    def forward(self, **inputs: Any) -> dspy.Prediction:
        return self.predict(**inputs)

    @property
    def version(self) -> str:
        """Twelve hexadecimal digits of everything a model is told besides the inputs."""
        told = {
            "name": self.name,
            "instructions": self.predict.signature.instructions,
            "fields": fields(self.predict.signature),
            "demos": [dict(demo) for demo in self.predict.demos],
            "artefact": self.artefact,
        }
        return digest(told)

    def load_compiled(self, folder: Path = compiled_programs.COMPILED) -> Self:
        """Load the compiled artefact of this program, if there is one. One that does not fit is logged and ignored."""
        path = compiled_programs.path_of(self.name, folder)
        if path.is_file():
            try:
                found = compiled_programs.fitting(path, self.name, self.signature)
            except compiled_programs.Refused as refused:
                logger.error("%s runs without what was compiled for it. %s", self.name, refused)
            else:
                compiled_programs.take(self.predict, found)
                self.artefact = found.digest
        return self
