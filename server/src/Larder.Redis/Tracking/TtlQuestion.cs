namespace Larder.Redis;

/// <summary>
/// PTTL, which precedes a tracked GET of the same key on its connection. The two take a node a third of what one script of both does (ADR-0095); a write
/// between them is told between their answers, as the first is tracked, too.
/// </summary>
internal sealed class TtlQuestion : RedisCommand
{
    /// <summary>The only one: its answer is kept by the connection for the command behind it.</summary>
    public static readonly TtlQuestion Instance = new();

    private TtlQuestion()
    {
    }

    /// <summary>Its head and its name; the key follows.</summary>
    public static ReadOnlySpan<byte> Head => "*2\r\n$4\r\nPTTL\r\n"u8;

    protected internal override void OnReply(ref RespReader reply)
    {
        // The connection has looked at it.
    }

    protected internal override void OnFailure(RedisFailure failure)
    {
        // The command behind it is told.
    }
}
