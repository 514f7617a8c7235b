from django.apps import AppConfig


class AgentConfig(AppConfig):
    name = "agent"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from agent.certificates import checks as certificate_checks  # noqa: F401 - registers the check
        from agent.programs import checks  # noqa: F401 - registers the checks
        from agent.runs import receivers  # noqa: F401 - connects the signal handlers
        from agent.web.admin import synonym_trial  # noqa: F401 - tells filings how a question is searched
