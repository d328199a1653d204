"""The gRPC edge: server, gate (tokens, roles, validation, errors), servicer base, watches, calls to other contexts."""
