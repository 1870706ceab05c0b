"""The only code that touches JAX and Craftax."""
