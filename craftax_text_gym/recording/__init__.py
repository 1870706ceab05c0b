"""Episodes on disk: logs, trajectories, exact replay, films and pages. No JAX starts until something is replayed.

May not import `wrappers`, `session`, or anything that plays: agents, evaluations, commands.
"""
