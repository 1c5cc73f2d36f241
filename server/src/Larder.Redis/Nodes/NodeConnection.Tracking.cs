namespace Larder.Redis;

/// <content>
/// Reads from a tracked connection. Push messages and replies are delivered in the order in which they arrived. A PTTL precedes each tracked GET.
/// </content>
internal sealed partial class NodeConnection
{
    private readonly bool _isTracked;

    // Used only by the reader.
    private bool _hasPush;
    private Range _push;
    private long _ttlLeftMs = -1;

    // Stores a push message, because the replies that were read before it are delivered first.
    private void KeepPush(Range value)
    {
        _hasPush = true;
        _push = value;
    }

    // Delivers the stored push message. Returns true if there was one.
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

    // Returns true if this is the reply to a PTTL. The next reply on this connection belongs to the GET that follows the PTTL. If the deadline of the GET has
    // passed, its reply still comes next, because the GET keeps its position in the queue.
    private bool TakeTtl(RedisCommand command, ReadOnlySpan<byte> bytes)
    {
        if (command == TtlQuery.Instance)
        {
            // -2 means that the key is missing, and -1 that the key has no time to live. If there is an error, for example a redirect, the reply to the GET
            // reports it.
            RespReader reply = new(bytes);
            _ttlLeftMs = reply.Kind == RespKind.Integer ? reply.Integer : -1;
            return true;
        }

        command.TtlLeftMs = _ttlLeftMs;
        _ttlLeftMs = -1;
        return false;
    }
}
