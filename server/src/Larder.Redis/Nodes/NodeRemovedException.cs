namespace Larder.Redis;

/// <summary>The reason for closing a connection that is no longer needed.</summary>
internal sealed class NodeRemovedException() : Exception("The node is no longer needed.");
