namespace Larder.Redis;

/// <summary>One node of the engine.</summary>
internal sealed class RedisNode;
