namespace Larder.Redis;

/// <summary>What a node says unasked on a tracked connection.</summary>
internal static class InvalidationPush
{
    /// <summary>Tells of the keys that it names, or that everything is lost; nothing for a push of another kind.</summary>
    /// <exception cref="InvalidDataException">It is an invalidation that cannot be read; what it named before was told.</exception>
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
            // FLUSHALL, FLUSHDB.
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

    private static InvalidDataException Broken() => new("The node says that keys have changed, and it cannot be read which.");
}
