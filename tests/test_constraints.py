"""What a test has written has foreign keys that hold, whatever else the database holds."""

import pytest
from django.db import IntegrityError, connection

from accounts.models import User
from agent.models import Feedback, Run
from tests.support.answers import number_answer, run_with

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="other databases look when a test ends")


def test_a_row_that_refers_to_nothing_is_noticed(alice: User) -> None:
    run = run_with(number_answer(), user=alice)
    made = Feedback.objects.create(run=run, verdict="right")
    connection.check_constraints()
    Feedback.objects.filter(pk=made.pk).update(reviewer_note="Seen.")
    Feedback(run_id="00000000-0000-0000-0000-000000000000", verdict="right").save()
    with pytest.raises(IntegrityError, match="agent_feedback"):
        connection.check_constraints()
    Feedback.objects.exclude(pk=made.pk).delete()


def test_a_row_whose_other_is_gone_is_noticed(alice: User) -> None:
    run = run_with(number_answer(), user=alice)
    made = Feedback.objects.create(run=run, verdict="right")
    connection.check_constraints()
    Run.objects.filter(pk=run.pk)._raw_delete("default")
    with pytest.raises(IntegrityError):
        connection.check_constraints()
    Feedback.objects.filter(pk=made.pk).delete()
    run.save(force_insert=True)


def test_a_statement_of_another_kind_has_everything_looked_at(alice: User) -> None:
    run = run_with(number_answer(), user=alice)
    made = Feedback.objects.create(run=run, verdict="right")
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH gone AS (SELECT id FROM agent_run) DELETE FROM agent_run WHERE id IN (SELECT id FROM gone)"
        )
    with pytest.raises(IntegrityError):
        connection.check_constraints()
    Feedback.objects.filter(pk=made.pk).delete()
    run.save(force_insert=True)
