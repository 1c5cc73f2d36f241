namespace Larder.Redis;

/// <summary>
/// A read of one tracked connection for the barrier: a GET of a key that nobody has, in a slot of the node's own. A node that has lost its part of the cluster,
/// or its slots, answers it with an error; PING it would answer all the same.
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
