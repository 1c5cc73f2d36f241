using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>A set-batch: of items with equal keys only the last is sent, since commands of one key may overtake each other on their way (BATCH-5).</summary>
internal sealed class SetBatchJoin : RemoteJoin
{
    private readonly Stack<Range> _toSend = new();

    public SetBatchJoin(RemoteCommand whole)
        : base(whole)
    {
        ReadOnlyMemory<byte> request = whole.Request;
        List<(Range Item, ReadOnlyMemory<byte> Key)> items = [];
        int position = 0;
        while (BatchItems.TryNext(request.Span, ref position, out ReadOnlySpan<byte> encoded))
        {
            ItemRequest.Decode(encoded, out ItemRequest item);
            encoded.Overlaps(item.Key, out int keyAt);
            int start = position - encoded.Length;
            items.Add((start..position, request.Slice(start + keyAt, item.Key.Length)));
        }

        Count = items.Count;
        HashSet<ReadOnlyMemory<byte>> later = new(items.Count, BytesComparer.Instance);
        for (int index = items.Count - 1; index >= 0; index--)
        {
            if (later.Add(items[index].Key))
            {
                _toSend.Push(items[index].Item);
            }
        }
    }

    /// <summary>Items of the batch, each of which is answered.</summary>
    public int Count { get; }

    protected override bool BeginNext(RemoteCommand part)
    {
        if (!_toSend.TryPop(out Range place))
        {
            return false;
        }

        ItemRequest.Decode(Whole.Request.Span[place], out ItemRequest item);
        part.BeginSet(item);
        return true;
    }

    protected override void Take(int index, ref RespReader reply)
    {
        // OK, whatever it replaced.
    }

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        for (int answered = 0; answered < Count; answered++)
        {
            SetBatchCall.WriteOk(response);
        }

        return null;
    }
}
