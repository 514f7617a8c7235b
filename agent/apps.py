from django.apps import AppConfig


class AgentConfig(AppConfig):
    name = "agent"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from agent.programs import checks  # noqa: F401 - registers the checks
        from agent.runs import receivers  # noqa: F401 - connects the signal handlers
        from agent.web.admin import synonym_trial  # noqa: F401 - tells filings how a question is searched
