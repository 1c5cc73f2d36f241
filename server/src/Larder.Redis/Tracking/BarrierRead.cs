namespace Larder.Redis;

/// <summary>
/// The read of one tracked connection for the barrier: a GET of a key that does not exist, in one of the node's own slots. A node that has lost its
/// majority or its slots returns an error. It would still reply to PING.
/// </summary>
internal sealed class BarrierRead : RedisCommand
{
    private readonly KeyTracking _tracking;

    public BarrierRead(KeyTracking tracking, RedisNode node, int slot, long deadline)
    {
        _tracking = tracking;
        Begin(2);
        Add("GET"u8);
        AddKey("L:{"u8, [.. KeySlot.TagOf(slot), .. "}:near"u8]);
        Deadline = deadline;
        Pinned = node;
        IsOnce = true;
    }

    protected internal override void OnReply(ref RespReader reply) => _tracking.OnRead(isGood: true);

    protected internal override void OnFailure(RedisFailure failure) => _tracking.OnRead(isGood: false);
}
