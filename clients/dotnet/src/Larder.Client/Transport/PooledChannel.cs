using Larder.Wire;

namespace Larder.Client;

/// <summary>A channel of the pool and its number of calls. Its fields are changed only under the pool's lock.</summary>
internal sealed class PooledChannel
{
    private bool _hasGreeted;

    /// <summary>Gets or sets the channel, or null until it is connected.</summary>
    public IChannel? Channel { get; set; }

    /// <summary>Gets or sets the number of calls on the channel.</summary>
    public int Streams { get; set; }

    /// <summary>Gets or sets whether calls may be assigned to the channel.</summary>
    public bool IsReady { get; set; }

    /// <summary>Gets or sets whether the channel was replaced. A replaced channel is closed when its last call ends.</summary>
    public bool IsRetired { get; set; }

    public long ReadyAt { get; set; }

    /// <summary>
    /// Returns the metadata of a call. The first call on a channel also contains the client's name and version. If two first calls are concurrent, the
    /// metadata of both may contain the name and version.
    /// </summary>
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
