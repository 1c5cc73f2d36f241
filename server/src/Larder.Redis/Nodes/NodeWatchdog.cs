namespace Larder.Redis;

/// <summary>Notices that a node says nothing although calls are outstanding (FLEET-5). Timestamps are the caller's; fields are read by any thread.</summary>
/// <param name="limit">How long that may last, in timestamps.</param>
internal sealed class NodeWatchdog(long limit)
{
    private long _since;

    /// <summary>A first call is outstanding from now on.</summary>
    public void OnFirstCall(long now) => Volatile.Write(ref _since, now);

    /// <summary>The node has said something.</summary>
    public void OnHeard(long now) => Volatile.Write(ref _since, now);

    /// <summary>Whether it is to be given up.</summary>
    public bool IsSilent(long now, int outstanding) => outstanding > 0 && now - Volatile.Read(ref _since) >= limit;
}
