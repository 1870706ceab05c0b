"""From words to actions, and which actions can be done now. Needs neither JAX nor Craftax."""
