"""The vector environment: many games in compiled batches, each computed while the last one's texts are written.

May not import JAX or Craftax, but through `engine`; nor `wrappers` or anything above them.
"""
