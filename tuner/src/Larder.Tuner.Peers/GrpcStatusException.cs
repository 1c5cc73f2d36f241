namespace Larder.Tuner.Peers;

/// <summary>A call that the server answered with a gRPC status other than 0.</summary>
internal sealed class GrpcStatusException(string status, string? message) : Exception($"grpc-status {status}: {message}");
