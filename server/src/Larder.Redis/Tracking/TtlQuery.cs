namespace Larder.Redis;

/// <summary>
/// The PTTL that is sent before a tracked GET of the same key on the same connection. The two commands take a third of the node's CPU time that one script with
/// the same effect takes (ADR-0095). If the key is written between the two commands, its push message arrives between their replies, because the PTTL is also
/// tracked.
/// </summary>
internal sealed class TtlQuery : RedisCommand
{
    /// <summary>The only instance. No state is needed, because the connection stores the reply for the following command.</summary>
    public static readonly TtlQuery Instance = new();

    private TtlQuery()
    {
    }

    /// <summary>Gets the encoded start of the command. The key must be appended.</summary>
    public static ReadOnlySpan<byte> Head => "*2\r\n$4\r\nPTTL\r\n"u8;

    protected internal override void OnReply(ref RespReader reply)
    {
        // The connection has already processed the reply.
    }

    protected internal override void OnFailure(RedisFailure failure)
    {
        // The following command reports the failure.
    }
}
