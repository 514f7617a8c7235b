"""A row of every table that the admin lists."""

from datetime import date
from typing import Any
from uuid import uuid4

from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.utils.timezone import now

from accounts import tokens
from accounts.models import Meter, Override, PastUsage, Plan, Reservation, Token, User
from agent import tasks
from agent.models import Feedback, Run
from agent.web.admin.golden_pointers import promote
from filings.models import Anomaly, Chunk, Element, ForeignRegistrant, Import, Synonym
from filings.models.report import ImportedDocument
from tests.support import answers
from tests.support.people import PASSWORD, with_app
from tests.support.sample import Sample

ASKED = "What supply risks did Northwind disclose in fiscal 2025?"
CALL: dict[str, Any] = {
    "program": "draft", "version": "1", "model": "a-model", "tokens_in": 900, "tokens_out": 80, "estimated": False,
    "cost": "0.0021", "ms": 640, "outcome": "ok",
}  # fmt: skip


def rows(staff: User, sample: Sample) -> dict[type[Model], Any]:
    """By model: what people leave when they use the site, and of the sample what an ingestion left."""
    return {type(row): row for row in (*of_people(), *of_runs(staff), *of_filings(sample))}


def of_people() -> list[Model]:
    alice = User.objects.create_user("alice@example.com", PASSWORD, first_name="Alice")
    whose = f"user:{alice.pk}"
    group = Group.objects.create(name="Reviewers")
    group.permissions.set(Permission.objects.filter(content_type__app_label="agent"))
    with_app(alice)
    tokens.issue(alice, "Notebook", ["ask", "read"])
    plan = Plan.objects.create(name="Research", tier="user", requests_per_minute=30)
    return [
        alice,
        group,
        EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True),
        Token.objects.get(),
        RecoveryCodes.activate(alice).instance,
        plan,
        Override.objects.create(user=alice, plan=plan, reason="A course"),
        Meter.objects.create(key=whose, month=date(2026, 11, 1), month_answers=4, tokens=1200),
        Reservation.objects.create(ref=uuid4(), key=whose, tier="user", at=now(), tokens=400),
        PastUsage.objects.create(day=date(2026, 11, 1), answers=3, requests=9, tokens_in=4000),
    ]


def of_runs(staff: User) -> list[Model]:
    """One run through the pipeline, with what a model was asked; others of other outcomes are listed beside it."""
    run = Run.objects.create(user=staff, question=ASKED)
    tasks.answer(str(run.pk))
    step = run.steps.order_by("sequence").last()
    assert step is not None
    step.calls, step.requests, step.cost = [CALL], 1, CALL["cost"]
    step.save()
    run.refresh_from_db()
    answers.run_with(answers.refusal_answer(), staff)
    answers.run_with(answers.number_answer(), visitor=uuid4())
    answers.open_run(staff)
    feedback = Feedback.objects.create(run=run, verdict="wrong", comment="Fiscal 2025 was asked.")
    return [run, feedback, promote(run, staff)[0]]


def of_filings(sample: Sample) -> list[Model]:
    company, filing = sample["NWND"], sample.filing("NWND", 2025)
    anomaly = Anomaly.objects.create(company=company, kind="scale", fiscal_year=2025, detail="Assets, 300 times.")
    sections = [section for section in filing.sections.all() if section.text]
    held = [
        company,
        filing,
        filing.statements.first(),
        filing.documents.first(),
        filing.facts.first(),
        max(sections, key=lambda section: len(section.text)),
        Chunk.objects.filter(filing=filing, kind="table").first() or Chunk.objects.filter(filing=filing).first(),
        Synonym.objects.first(),
        Element.objects.first(),
        ForeignRegistrant.objects.first(),
        anomaly,
        ImportedDocument.objects.filter(accession__startswith="doc-").first(),
        Import.objects.create(
            filename="call.txt", sha256="5e" * 32, size=1200, company=company, status=Import.Status.ASKED
        ),
    ]
    return [row for row in held if row is not None]
