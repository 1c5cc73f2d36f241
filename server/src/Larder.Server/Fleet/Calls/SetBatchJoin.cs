using System.Buffers;
using System.Numerics;
using System.Runtime.InteropServices;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs the parts of a set-batch. Of several items with the same key, only the last is sent, because commands for one key may overtake each other on the way to
/// the node (BATCH-5).
/// </summary>
/// <remarks>
/// This class uses 4 bytes per item, and at most 16 more bytes per item while it reads the batch. It does not create an object for each item, because the
/// smallest item in a request has only 7 bytes. Such objects would take ten times the memory of the request.
/// </remarks>
internal sealed class SetBatchJoin : RemoteJoin
{
    // The offset of each item in the request, or Replaced if a later item has the same key.
    private const int Replaced = -1;

    private readonly int[] _places;
    private int _next;

    public SetBatchJoin(RemoteCommand whole)
        : base(whole)
    {
        ReadOnlySpan<byte> request = whole.Request.Span;
        _places = new int[CountOf(request)];
        int position = 0;
        for (int index = 0; index < _places.Length; index++)
        {
            _places[index] = position;
            BatchItems.TryNext(request, ref position, out _);
        }

        MarkReplaced(request, _places);
    }

    /// <summary>Gets the number of items in the batch. Each item has a result.</summary>
    public int Count => _places.Length;

    protected override bool BeginNext(RemoteCommand part)
    {
        while (_next < Count)
        {
            int place = _places[_next++];
            if (place != Replaced)
            {
                part.BeginSet(ItemAt(Whole.Request.Span, place));
                return true;
            }
        }

        return false;
    }

    protected override void Take(int index, ref RespReader reply)
    {
        // A SET without a condition always returns OK.
    }

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        for (int answered = 0; answered < Count; answered++)
        {
            SetBatchCall.WriteOk(response);
        }

        return null;
    }

    private static int CountOf(ReadOnlySpan<byte> request)
    {
        int count = 0;
        RepeatedItems items = new(request);
        while (items.Next(out _))
        {
            count++;
        }

        return count;
    }

    // Iterates from the last item to the first. The hash table of the items to send is at most half full. An entry is the index of an item plus 1; 0 means that
    // the entry is free.
    private static void MarkReplaced(ReadOnlySpan<byte> request, Span<int> places)
    {
        int length = (int)BitOperations.RoundUpToPowerOf2((uint)places.Length * 2);
        ArraySegment<byte> block = LargeBlocks.Rent(length * sizeof(int));
        try
        {
            Span<int> table = MemoryMarshal.Cast<byte, int>(block.AsSpan())[..length];
            table.Clear();
            for (int index = places.Length - 1; index >= 0; index--)
            {
                ReadOnlySpan<byte> key = ItemAt(request, places[index]).Key;
                int slot = HashOf(key) & (length - 1);
                while (table[slot] != 0 && !key.SequenceEqual(ItemAt(request, places[table[slot] - 1]).Key))
                {
                    slot = (slot + 1) & (length - 1);
                }

                if (table[slot] == 0)
                {
                    table[slot] = index + 1;
                }
                else
                {
                    places[index] = Replaced;
                }
            }
        }
        finally
        {
            LargeBlocks.Return(block);
        }
    }

    private static ItemRequest ItemAt(ReadOnlySpan<byte> request, int place)
    {
        BatchItems.TryNext(request, ref place, out ReadOnlySpan<byte> encoded);
        ItemRequest.Decode(encoded, out ItemRequest item);
        return item;
    }

    // HashCode uses a random seed per process, so a caller cannot choose colliding keys.
    private static int HashOf(ReadOnlySpan<byte> key)
    {
        HashCode hash = default;
        hash.AddBytes(key);
        return hash.ToHashCode();
    }
}
