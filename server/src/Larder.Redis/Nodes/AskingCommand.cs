namespace Larder.Redis;

/// <summary>The ASKING command. It precedes a command for a slot that is being moved to this node. The reply to ASKING is ignored.</summary>
internal sealed class AskingCommand : RedisCommand
{
    /// <summary>The only instance, because the command has no state.</summary>
    public static readonly AskingCommand Instance = new();

    private AskingCommand()
    {
    }

    /// <summary>Gets the encoded command.</summary>
    public static ReadOnlySpan<byte> Encoded => "*1\r\n$6\r\nASKING\r\n"u8;

    protected internal override void OnReply(ref RespReader reply)
    {
        // The reply is OK. If there is an error, the reply to the following command reports it.
    }

    protected internal override void OnFailure(RedisFailure failure)
    {
        // The following command reports the failure.
    }
}
