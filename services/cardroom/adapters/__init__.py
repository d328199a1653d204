"""Adapters: the store, the bus, gRPC and the process that ties them together; none knows a context."""
