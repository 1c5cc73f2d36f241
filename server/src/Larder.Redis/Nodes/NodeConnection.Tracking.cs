namespace Larder.Redis;

/// <content>What is different where the node tracks it: pushes are told in their place among the answers, and a tracked GET has a PTTL before it.</content>
internal sealed partial class NodeConnection
{
    private readonly bool _isTracked;

    // Of its reader.
    private bool _hasPush;
    private Range _push;
    private long _ttlLeftMs = -1;

    // What was read before it is answered first.
    private void KeepPush(Range value)
    {
        _hasPush = true;
        _push = value;
    }

    // True where there was one.
    private bool TellPush()
    {
        if (!_hasPush)
        {
            return false;
        }

        _hasPush = false;
        _owner.OnPush(_input.At(_push));
        return true;
    }

    // True where it is PTTL's answer. What is answered next on this connection is the GET that it precedes: its deadline may have come, its place stays.
    private bool TakeTtl(RedisCommand command, ReadOnlySpan<byte> bytes)
    {
        if (command == TtlQuestion.Instance)
        {
            // -2 for no key and -1 for none; an error, such as a redirect, says what GET's says, too.
            RespReader reply = new(bytes);
            _ttlLeftMs = reply.Kind == RespKind.Integer ? reply.Integer : -1;
            return true;
        }

        command.TtlLeftMs = _ttlLeftMs;
        _ttlLeftMs = -1;
        return false;
    }
}
