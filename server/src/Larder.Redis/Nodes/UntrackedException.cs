namespace Larder.Redis;

/// <summary>The node does not track a connection: it may not be asked to, or is no Redis of its own.</summary>
internal sealed class UntrackedException(string message) : Exception(message);
