"""Episodes on disk: logs, trajectories, exact replay and films. Starts no JAX until something is replayed."""
