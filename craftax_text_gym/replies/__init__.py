"""A language model's reply becomes actions; the schemas of the tools that a model may call.

May not import JAX, Craftax, or anything of the package but `games`, `spaces` and `utils`.
"""
