import pytest
from tests.agent.test_table_too_large import *
def test_probe(sample, alice):
    run = answered(Identity(user=alice), LARGE.replace("revenue","organic revenue"))
    print(run.outcome, run.refusal_code, run.answer["blocks"][0]["alternatives"], Meter.objects.get().questions, Reservation.objects.get().answers)
