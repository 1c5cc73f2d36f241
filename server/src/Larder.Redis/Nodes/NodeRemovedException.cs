namespace Larder.Redis;

/// <summary>The reason for closing a connection that is no longer needed.</summary>
internal sealed class NodeRemovedException() : Exception("The connection was closed, because its node is no longer used.");
