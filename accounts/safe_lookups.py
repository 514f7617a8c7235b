"""Lookups that protect the database from values it cannot read."""

from typing import Any

from django.db.models import IntegerField
from django.db.models.lookups import In


@IntegerField.register_lookup
class IntegerIn(In):
    """One of several whole numbers, ignoring those beyond 64 bits, which SQLite rejects.

    Django does the same for every other comparison of whole numbers.
    """

    def process_rhs(self, compiler: Any, connection: Any) -> Any:
        if not self.rhs_is_direct_value():
            return super().process_rhs(compiler, connection)
        least, most = connection.ops.integer_field_range(self.lhs.output_field.get_internal_type())
        held = self.copy()
        held.rhs = [
            one
            for one in self.rhs
            if not isinstance(one, int) or ((least is None or one >= least) and (most is None or one <= most))
        ]
        return super(IntegerIn, held).process_rhs(compiler, connection)
