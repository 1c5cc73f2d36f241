namespace Larder.Redis;

/// <summary>
/// PTTL, which precedes a tracked GET of the same key on its connection. The two cost a node a third of what one script with both costs (ADR-0095). A
/// write between them is reported between their replies, because the PTTL is tracked too.
/// </summary>
internal sealed class TtlQuery : RedisCommand
{
    /// <summary>The only instance: the connection stores its reply for the following command.</summary>
    public static readonly TtlQuery Instance = new();

    private TtlQuery()
    {
    }

    /// <summary>Gets the encoded start of the command; the key follows.</summary>
    public static ReadOnlySpan<byte> Head => "*2\r\n$4\r\nPTTL\r\n"u8;

    protected internal override void OnReply(ref RespReader reply)
    {
        // The connection has already processed it.
    }

    protected internal override void OnFailure(RedisFailure failure)
    {
        // The following command reports the failure.
    }
}
