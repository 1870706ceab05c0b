"""Craftax and Craftax-Classic as Gymnasium environments for language models."""
