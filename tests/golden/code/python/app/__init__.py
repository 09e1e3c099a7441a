from .client import Client as Client

__all__ = ["Client"]
