namespace Larder.Client;

/// <summary>A channel of the pool and how many calls it carries. Its fields change under the pool's lock only.</summary>
internal sealed class PooledChannel
{
    /// <summary>Null until it is connected.</summary>
    public IChannel? Channel { get; set; }

    /// <summary>Calls on it now.</summary>
    public int Streams { get; set; }

    /// <summary>True while calls may be put on it.</summary>
    public bool IsReady { get; set; }

    /// <summary>True once it was replaced: closed when its last call ends.</summary>
    public bool IsRetired { get; set; }

    public long ReadyAt { get; set; }
}
