using Larder.Wire;

namespace Larder.Client;

/// <summary>A channel of the pool and how many calls it carries. Its fields change under the pool's lock only.</summary>
internal sealed class PooledChannel
{
    private bool _hasGreeted;

    /// <summary>Null until it is connected.</summary>
    public IChannel? Channel { get; set; }

    /// <summary>Calls on it now.</summary>
    public int Streams { get; set; }

    /// <summary>True while calls may be put on it.</summary>
    public bool IsReady { get; set; }

    /// <summary>True once it was replaced: closed when its last call ends.</summary>
    public bool IsRetired { get; set; }

    public long ReadyAt { get; set; }

    /// <summary>The metadata of a call on it: the first says whose it is. Of two first calls at once both may.</summary>
    public RpcHeaders HeadersOf(RpcHeaders headers)
    {
        if (_hasGreeted)
        {
            return headers;
        }

        _hasGreeted = true;
        return CallHeaders.Greeting(headers);
    }
}
