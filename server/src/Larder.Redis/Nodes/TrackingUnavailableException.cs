namespace Larder.Redis;

/// <summary>
/// The exception that is thrown when a node cannot track a connection, because tracking is not permitted or the server is not a genuine Redis.
/// </summary>
internal sealed class TrackingUnavailableException(string message) : Exception(message);
