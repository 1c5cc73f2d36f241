namespace Larder.Redis;

/// <summary>A connection is closed as it is of no more use.</summary>
internal sealed class NotNeededException() : Exception("The node is not of use any more.");
