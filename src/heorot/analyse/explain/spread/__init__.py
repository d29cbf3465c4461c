"""Programs over several nodes: what placing their ranks in other ways costs, and why."""
