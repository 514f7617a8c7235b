"""Settings of processes that ask an Elasticsearch which shares two cores with all that asks it."""

from diligence.settings import *  # noqa: F403

ELASTICSEARCH_TIMEOUT = 60.0
