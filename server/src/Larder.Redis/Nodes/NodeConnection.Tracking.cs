namespace Larder.Redis;

/// <content>Differences of a tracked connection: pushes are delivered in order among the replies, and a tracked GET is preceded by a PTTL.</content>
internal sealed partial class NodeConnection
{
    private readonly bool _isTracked;

    // Used by the reader only.
    private bool _hasPush;
    private Range _push;
    private long _ttlLeftMs = -1;

    // Replies that were read before the push are delivered first.
    private void KeepPush(Range value)
    {
        _hasPush = true;
        _push = value;
    }

    // Returns true if there was a push.
    private bool NotifyPush()
    {
        if (!_hasPush)
        {
            return false;
        }

        _hasPush = false;
        _owner.OnPush(_input.At(_push));
        return true;
    }

    // Returns true if this is the reply to a PTTL. The next reply on this connection belongs to the GET that follows it: even if that command's deadline
    // has passed, its place in the queue remains.
    private bool TakeTtl(RedisCommand command, ReadOnlySpan<byte> bytes)
    {
        if (command == TtlQuery.Instance)
        {
            // -2 means no key, -1 no time to live. An error, such as a redirect, is also returned for the GET.
            RespReader reply = new(bytes);
            _ttlLeftMs = reply.Kind == RespKind.Integer ? reply.Integer : -1;
            return true;
        }

        command.TtlLeftMs = _ttlLeftMs;
        _ttlLeftMs = -1;
        return false;
    }
}
