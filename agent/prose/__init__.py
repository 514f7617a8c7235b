"""Prose: passages of the filing, the sentences that answer, and the guards that let them pass.

Each folder imports those below it only: verification, search, answers, ranking, questions, text.
"""
