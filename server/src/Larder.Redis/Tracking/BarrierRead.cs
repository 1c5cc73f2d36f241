namespace Larder.Redis;

/// <summary>
/// The barrier's read on one tracked connection: a GET of a key that does not exist, in a slot of the node. The barrier uses GET because a node that has lost
/// its majority or its slots would still reply to PING, but returns an error to GET.
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
