"""The makers of the bundled sample: figures of real issuers out of a mirror, whole reports of fictional ones."""
