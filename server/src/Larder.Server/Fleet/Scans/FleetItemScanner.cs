using System.Buffers;
using System.Text;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Scans;
using Larder.Store;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Scans collections of a fleet. Each page is one script on the collection's node. The script also returns the run ID of the node's process. If the process
/// changes during a scan, the scan must start over, because each process orders the elements of a collection differently.
/// </summary>
internal sealed class FleetItemScanner(RemoteGateway gateway) : IItemScanner
{
    // A page ends when its size reaches EnoughBytes. It fails if its size exceeds MaxBytes, which is below the message size limit.
    private const long EnoughBytes = 1 << 20;
    private const long MaxBytes = 8 << 20;

    // The numbers that the script returns instead of a page.
    private const long OtherType = 1;
    private const long TooLarge = 2;

    public async ValueTask<ItemScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> name, ReadOnlyMemory<byte> cursor, int count, TimeSpan? timeout)
    {
        if ((gateway.Find(cache, out RemoteCache? found) ?? (gateway.Guard.IsResuming() ? CallError.Resuming : null)) is { } error)
        {
            return error;
        }

        FleetItemCursor at = default;
        if (!cursor.IsEmpty && !FleetItemCursor.TryRead(cursor.Span, found!.Id, name.Span, out at))
        {
            return ScanErrors.ForeignItemCursor;
        }

        long deadline = gateway.EndOf(gateway.TimeProvider.GetTimestamp(), timeout);
        try
        {
            ItemScanOutcome outcome = await AskAsync(found!, name, at, KeyQuery.CountOf(count), deadline).ConfigureAwait(false);
            // A page may be too large if large elements follow small ones. In this case, retry with a single element.
            return outcome.Error == ScanErrors.ItemsTooLarge ? await AskAsync(found!, name, at, 1, deadline).ConfigureAwait(false) : outcome;
        }
        catch (FleetQueryException failed)
        {
            return FleetErrors.Of(failed.Failure);
        }
    }

    private Task<ItemScanOutcome> AskAsync(RemoteCache cache, ReadOnlyMemory<byte> name, FleetItemCursor at, int count, long deadline)
    {
        FleetQuery<ItemScanOutcome> query = new((ref RespReader reply) => Read(ref reply, cache, name.Span, at));
        query.BeginScript(FleetScripts.ScanItems, 1, 5);
        query.AddKey(cache.Prefix, name.Span);
        query.Add(Encoding.ASCII.GetBytes($"{at.Position}"));
        query.Add(count);
        query.Add(EngineType.NameOf(at.Type));
        query.Add(EnoughBytes);
        query.Add(MaxBytes);
        query.IsIdempotent = true;
        query.Deadline = deadline;
        return query.SendAsync(gateway.Store);
    }

    private static ItemScanOutcome Read(ref RespReader reply, RemoteCache cache, ReadOnlySpan<byte> name, FleetItemCursor at)
    {
        if (reply.IsNull)
        {
            return ItemScanOutcome.Missing;
        }

        if (reply.Kind == RespKind.Integer)
        {
            return reply.Integer switch
            {
                OtherType => ScanErrors.NoCollection,
                TooLarge => ScanErrors.ItemsTooLarge,
                _ => FleetErrors.Unexpected,
            };
        }

        reply.Read();
        ItemType type = EngineType.Parse(reply.Bytes) ?? ItemType.Scalar;
        reply.Read();
        ulong run = reply.Bytes.IsEmpty ? 0 : FleetItemCursor.Digest(reply.Bytes);
        reply.Read();
        ulong position = ulong.Parse(reply.Bytes, provider: null);
        reply.Read();
        if (at.Position != 0 && at.Run != run)
        {
            return ScanErrors.ItemMoved;
        }

        byte[] next = position == 0 ? [] : new FleetItemCursor(type, run, position).Write(cache.Id, name);
        return type switch
        {
            ItemType.Dictionary => Page<FieldReply>(ref reply, type, reply.Count / 2, next),
            ItemType.SortedSet => Page<ScoredReply>(ref reply, type, reply.Count / 2, next),
            _ => Page<PlainReply>(ref reply, type, reply.Count, next),
        };
    }

    private static ElementPage Page<TElement>(ref RespReader reply, ItemType type, int count, byte[] cursor)
        where TElement : struct, IReplyElement
    {
        ArrayBufferWriter<byte> bytes = new();
        List<CollectionItem> elements = new(count);
        for (int left = count; left > 0; left--)
        {
            CollectionElement element = TElement.Next(ref reply);
            int at = bytes.WrittenCount;
            bytes.Write(element.Name);
            bytes.Write(element.Value);
            elements.Add(new CollectionItem(at, element.Name.Length, at + element.Name.Length, element.Value.Length, element.Score));
        }

        return new ElementPage(type, bytes.WrittenMemory, elements, cursor);
    }
}
