"""Whether figures of several reports stand on one basis, and what later reports restate."""
