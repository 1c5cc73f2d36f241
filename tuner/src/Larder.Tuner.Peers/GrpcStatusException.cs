namespace Larder.Tuner.Peers;

/// <summary>The server returned a gRPC status other than 0.</summary>
internal sealed class GrpcStatusException(string status, string? message) : Exception($"grpc-status {status}: {message}");
