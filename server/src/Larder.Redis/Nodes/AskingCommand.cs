namespace Larder.Redis;

/// <summary>ASKING, which precedes a command in a slot that is being moved here. Its answer says nothing.</summary>
internal sealed class AskingCommand : RedisCommand
{
    /// <summary>The only one: nothing of it is kept.</summary>
    public static readonly AskingCommand Instance = new();

    private AskingCommand()
    {
    }

    /// <summary>As it is sent.</summary>
    public static ReadOnlySpan<byte> Encoded => "*1\r\n$6\r\nASKING\r\n"u8;

    protected internal override void OnReply(ref RespReader reply)
    {
        // OK; what the command is answered says the rest.
    }

    protected internal override void OnFailure(RedisFailure failure)
    {
        // The command behind it is told.
    }
}
