namespace Larder.Redis;

/// <summary>Parses push messages on tracked connections.</summary>
internal static class InvalidationPush
{
    /// <summary>
    /// Passes the keys of an invalidation message to the watch, or notifies the watch that any key may have changed. Ignores other types of messages.
    /// </summary>
    /// <exception cref="InvalidDataException">The invalidation message is invalid. Keys before the invalid part have been passed to the watch.</exception>
    public static void Tell(ReadOnlySpan<byte> frame, IKeyWatch watch)
    {
        RespReader push = new(frame);
        int items = push.Count;
        push.Read();
        if (push.Kind is not (RespKind.Bytes or RespKind.Text) || !push.Bytes.SequenceEqual("invalidate"u8))
        {
            return;
        }

        if (items != 2 || !push.Read())
        {
            throw Broken();
        }

        if (push.IsNull)
        {
            // The message is caused by FLUSHALL or FLUSHDB.
            watch.Lost();
            return;
        }

        int keys = push.Kind == RespKind.Array ? push.Count : throw Broken();
        for (; keys > 0; keys--)
        {
            push.Read();
            watch.Invalidated(push.Kind is RespKind.Bytes or RespKind.Text ? push.Bytes : throw Broken());
        }
    }

    private static InvalidDataException Broken() => new("The node sent a malformed invalidation message.");
}
